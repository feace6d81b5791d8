// Follows the companion's snapshots and says when the connection is lost.
export function followSnapshots(onSnapshot, onConnection) {
  const source = new EventSource("/api/events");
  source.addEventListener("snapshot", (event) => { onConnection(true); onSnapshot(JSON.parse(event.data)); });
  source.addEventListener("open", async () => {
    // A restarted companion may stand at a number seen before, so the state is fetched afresh.
    try {
      const answer = await fetch("/api/state");
      if (answer.ok) { onConnection(true); onSnapshot(await answer.json(), true); }
    } catch { onConnection(false); }
  });
  source.addEventListener("error", () => {
    onConnection(false);
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => followSnapshots(onSnapshot, onConnection), 3000);
  });
}
