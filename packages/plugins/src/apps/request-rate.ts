import type { engineOf } from "@toolrail/core/plugin";

type HostEngine = ReturnType<typeof engineOf>;

/** The times of each app's last requests, by host. The app without a request for the longest time comes first. */
const requests = new WeakMap<HostEngine, Map<string, readonly number[]>>();
const MINUTE_MS = 60_000;

/** Counts a request. Returns false if there were too many within a minute. */
export function mayRequest(
  engine: HostEngine,
  { key, maxRequests }: { readonly key: string; readonly maxRequests: number },
): boolean {
  const known = requests.get(engine) ?? new Map<string, readonly number[]>();
  requests.set(engine, known);
  const now = engine.now();
  const isRecent = (atMs: number) => now - atMs < MINUTE_MS;
  const before = (known.get(key) ?? []).filter(isRecent);
  if (before.length >= maxRequests) return false;
  known.delete(key);
  known.set(key, [...before, now]);
  for (const [quiet, times] of known) {
    if (times.some(isRecent)) break;
    known.delete(quiet);
  }
  return true;
}
