"""A page of the dashboard in a real browser, driven over Chromium's debugging pipe: no port, no sleeps."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WORDS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")
_UNTIL = """new Promise((found, failed) => {
  const end = performance.now() + 20000;
  const look = () => {
    const it = (%s);
    if (it) return found(it === true ? null : it);
    if (performance.now() > end) return failed(new Error("never: " + %s + "; the page: " + document.body.innerText));
    requestAnimationFrame(look);
  };
  look();
})"""


def browser_or_skip() -> str:
    """The path of a Chromium; the test is skipped, saying so, where there is none."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.skip("no Chromium was found (looked for chromium, google-chrome): the page's own JavaScript is not driven")


class Page:
    """One tab: `run` gives the value of an expression in it, `until` waits for one to be true."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from, self._numbers = to_browser, from_browser, count(1)
        self._rest, self._session = b"", ""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Loads a page in a window of that many CSS pixels."""
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self._ask("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        """The JSON-able value of a JavaScript expression; a promise is waited for. Raises AssertionError."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, condition: str) -> Any:
        """Waits for the expression to be true, looking at every frame that is drawn; gives its value."""
        return self.run(_UNTIL % (condition, json.dumps(condition)))

    def click(self, selector: str, words: str = "") -> None:
        """Waits for an enabled element with these words and presses it."""
        seek = (
            f"[...document.querySelectorAll({json.dumps(selector)})].find((it) => !it.disabled && it.checkVisibility()"
        )
        seek += f" && it.textContent.includes({json.dumps(words)}))"
        self.until(f"!!{seek}")
        self.run(f"{seek}.click()")

    def text(self, selector: str) -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def picture(self, path: Path) -> None:
        """Writes what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        order = {"id": number, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._to, json.dumps(order).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._from, 1 << 16)
            assert more, "the browser ended"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


@contextmanager
def driven_page(folder: Path) -> Iterator[Page]:
    """A browser with a profile of its own in `folder`; skips the test where there is none."""
    browser = browser_or_skip()
    orders, to_browser = os.pipe()
    from_browser, answers = os.pipe()
    # The browser reads its orders at 3 and writes its answers to 4, wherever they are here.
    script = f'exec 3<&{orders} 4>&{answers}; exec "$0" "$@"'
    words = [browser, *WORDS, "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"]
    with open(os.devnull, "wb") as nothing:
        running = subprocess.Popen(
            ["bash", "-c", script, *words], pass_fds=(orders, answers), stdout=nothing, stderr=nothing
        )
    os.close(orders)
    os.close(answers)
    try:
        yield Page(to_browser, from_browser)
    finally:
        os.close(to_browser)  # the browser ends with its pipe
        running.terminate()
        running.wait()
        os.close(from_browser)
