"""Recorded frames: folders and videos, whole and damaged."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.recorded import open_recorded
from hardware.errors import SourceUnusable
from vision.frame import Frame


def _picture(shade: int) -> np.ndarray:
    noise = np.random.default_rng(shade).integers(0, 40, (48, 64, 3))
    return (noise + shade).astype(np.uint8)


def _folder(path: Path, count: int = 3) -> Path:
    for number in range(count):
        cv2.imwrite(str(path / f"f{number:03}.jpg"), _picture(20 + 40 * number))
    return path


def _frames(path: Path) -> list[Frame]:
    with open_recorded(path) as source:
        return list(source.frames(lambda: False))


def _refusal(path: Path) -> str:
    with pytest.raises(SourceUnusable) as caught:
        _frames(path)
    return str(caught.value)


def test_a_folder_without_times_is_read_by_name_at_five_frames_a_second(tmp_path: Path) -> None:
    frames = _frames(_folder(tmp_path))
    assert [f.sequence for f in frames] == [0, 1, 2]
    assert [f.captured_at for f in frames] == pytest.approx([0.0, 0.2, 0.4])
    assert frames[0].bgr.mean() < frames[1].bgr.mean() < frames[2].bgr.mean()


def test_frames_csv_gives_order_and_times(tmp_path: Path) -> None:
    _folder(tmp_path)
    (tmp_path / "frames.csv").write_text("file,seconds\nf002.jpg,0.5\nf000.jpg,3\n")
    frames = _frames(tmp_path)
    assert [f.captured_at for f in frames] == [0.5, 3.0]
    assert frames[0].bgr.mean() > frames[1].bgr.mean()


def test_frames_csv_saved_by_a_spreadsheet_is_read(tmp_path: Path) -> None:
    _folder(tmp_path)
    (tmp_path / "frames.csv").write_bytes(b"\xef\xbb\xbffile,seconds\r\nf000.jpg,1.5\r\n\r\n")
    assert [f.captured_at for f in _frames(tmp_path)] == [1.5]


def test_stopping_ends_the_frames_at_once(tmp_path: Path) -> None:
    with open_recorded(_folder(tmp_path)) as source:
        assert list(source.frames(lambda: True)) == []


@pytest.mark.parametrize(
    ("table", "seen"),
    [
        ("file,seconds\nf000.jpg,0\nlost.jpg,1\n", "lost.jpg"),
        ("file,seconds\nf000.jpg,soon\n", "soon"),
        ("file,seconds\nf000.jpg,nan\n", "nan"),
        ("file,seconds\nf000.jpg\n", "f000.jpg"),
        ("file,seconds\n", "lists no picture"),
        ("file,seconds\nf000.jpg,2\nf001.jpg,1\n", "backwards"),
        ("file,seconds\n../f000.jpg,0\n", "outside the recording"),
        ("file,seconds\na/../../f000.jpg,0\n", "outside the recording"),
        ("file,seconds\n/dev/zero,0\n", "outside the recording"),
    ],
)
def test_a_faulty_frames_csv_is_refused_with_what_was_seen(tmp_path: Path, table: str, seen: str) -> None:
    _folder(tmp_path)
    (tmp_path / "frames.csv").write_text(table)
    message = _refusal(tmp_path)
    assert seen in message
    assert "expected" in message


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    assert "no jpg or png" in _refusal(tmp_path)


def test_a_path_where_nothing_is_is_refused(tmp_path: Path) -> None:
    assert "nothing at" in _refusal(tmp_path / "elsewhere")


@pytest.mark.parametrize("damage", ["cut", "noise", "empty"])
def test_a_damaged_picture_is_left_out_with_a_warning(tmp_path: Path, damage: str) -> None:
    middle = _folder(tmp_path) / "f001.jpg"
    whole = middle.read_bytes()
    middle.write_bytes({"cut": whole[: len(whole) * 2 // 3], "noise": b"\x01\x02" * 50, "empty": b""}[damage])
    heard: list[str] = []
    with open_recorded(tmp_path, warn=heard.append) as source:
        frames = list(source.frames(lambda: False))
    assert [f.sequence for f in frames] == [0, 2]
    assert [f.captured_at for f in frames] == pytest.approx([0.0, 0.4])
    assert len(heard) == 1
    assert "f001.jpg" in heard[0]


def test_a_folder_of_nothing_but_damaged_pictures_is_refused(tmp_path: Path) -> None:
    for path in _folder(tmp_path).glob("*.jpg"):
        path.write_bytes(path.read_bytes()[:200])
    assert "none of the 3 pictures" in _refusal(tmp_path)


@pytest.mark.parametrize("left", [1, 3])
def test_a_recording_without_a_good_picture_is_refused_in_one_sentence_alone(tmp_path: Path, left: int) -> None:
    for path in sorted(_folder(tmp_path).glob("*.jpg"))[left:]:
        path.unlink()
    for path in tmp_path.glob("*.jpg"):
        path.write_bytes(b"noise")
    heard: list[str] = []
    with open_recorded(tmp_path, warn=heard.append) as source, pytest.raises(SourceUnusable, match="f000"):
        list(source.frames(lambda: False))
    assert heard == []


def test_pictures_damaged_before_the_first_good_one_are_warned_of_once_it_comes(tmp_path: Path) -> None:
    (_folder(tmp_path) / "f000.jpg").write_bytes(b"noise")
    heard: list[str] = []
    with open_recorded(tmp_path, warn=heard.append) as source:
        assert [f.sequence for f in source.frames(lambda: False)] == [1, 2]
    assert len(heard) == 1


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 4.0, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no video")
    for number in range(3):
        writer.write(_picture(20 + 40 * number))
    writer.release()
    return path


def test_a_video_is_read_at_its_own_rate(video: Path) -> None:
    assert [f.captured_at for f in _frames(video)] == pytest.approx([0.0, 0.25, 0.5])


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    path.write_bytes(b"not a video")
    assert "expected" in _refusal(path)


def test_an_empty_video_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    path.touch()
    assert "empty file" in _refusal(path)


def test_a_cut_picture_is_noticed_though_its_thumbnail_is_whole(tmp_path: Path) -> None:
    whole = (_folder(tmp_path, 2) / "f001.jpg").read_bytes()
    thumbnail = b"\xff\xe1\x00\x08Exif\xff\xd9"
    for name, data in (
        ("f000.jpg", whole[:2] + thumbnail + whole[2:]),
        ("f001.jpg", whole[:2] + thumbnail + whole[2:-40]),
    ):
        (tmp_path / name).write_bytes(data)
    assert [f.sequence for f in _frames(tmp_path)] == [0]


def test_a_picture_padded_behind_its_end_is_whole(tmp_path: Path) -> None:
    path = _folder(tmp_path, 1) / "f000.jpg"
    path.write_bytes(path.read_bytes() + bytes(10_000))
    assert len(_frames(tmp_path)) == 1


@pytest.mark.parametrize("shape", [(1, 400, 3), (2, 20_000, 3), (3000, 40, 3)])
def test_a_strip_that_can_show_no_board_is_refused(tmp_path: Path, shape: tuple[int, int, int]) -> None:
    cv2.imwrite(str(tmp_path / "strip.png"), np.zeros(shape, np.uint8))
    assert f"a strip of {shape[1]} by {shape[0]} pixels" in _refusal(tmp_path)


def test_a_folder_that_keeps_its_pictures_in_frames_is_read_from_there(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    (tmp_path / "expected.json").write_text("{}")
    _folder(tmp_path / "frames")
    (tmp_path / "frames" / "frames.csv").write_text("file,seconds\nf001.jpg,7\n")
    assert [f.captured_at for f in _frames(tmp_path)] == [7.0]


def test_pictures_beside_a_folder_of_frames_are_read_themselves(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    _folder(tmp_path / "frames", 1)
    assert len(_frames(_folder(tmp_path, 2))) == 2


def test_a_folder_of_recordings_names_one_of_them(tmp_path: Path) -> None:
    for name in ("monday", "notes", "tuesday"):
        (tmp_path / name).mkdir()
    _folder(tmp_path / "monday")
    _folder(tmp_path / "tuesday")
    assert f"such as {tmp_path / 'monday'}" in _refusal(tmp_path)


def test_a_folder_of_one_damaged_picture_is_told_in_the_singular(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = sorted(_folder(tmp_path).glob("*.jpg"))
    first.write_bytes(first.read_bytes()[:200])
    for path in others:
        path.unlink()
    monkeypatch.chdir(first.parent)
    assert "the only picture in this folder cannot be read" in _refusal(Path())
