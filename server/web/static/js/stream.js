// Follows the companion's snapshots and says when the connection is lost.
export function followSnapshots(onSnapshot, onConnection) {
  const source = new EventSource("/api/events");
  let silence;
  const alive = () => { onConnection(true); clearTimeout(silence); };
  source.addEventListener("snapshot", (event) => { alive(); onSnapshot(JSON.parse(event.data)); });
  source.addEventListener("open", async () => {
    // A restarted companion may stand at a number seen before, so the state is fetched afresh.
    try {
      const answer = await fetch("/api/state");
      if (answer.ok) { alive(); onSnapshot(await answer.json()); }
    } catch { onConnection(false); }
  });
  source.addEventListener("error", () => {
    onConnection(false);
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(silence);
    silence = setTimeout(() => followSnapshots(onSnapshot, onConnection), 3000);
  });
}
