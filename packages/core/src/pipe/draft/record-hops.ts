import type { Host } from "../../host/host.ts";
import { engineOf } from "../../host/host-engine.ts";
import type { Hop } from "../../result/hop.ts";

/** What a host has done since a recording began. */
export interface Recording {
  /** In the order in which the calls were answered. */
  readonly hops: readonly Hop[];
  /** Records no more. */
  stop(): void;
}

/** Records the hops of a host with their results, the last `most` of them (default 1,000): for `draftPipe`. */
export function recordHops(
  host: Host,
  { most = 1000 }: { readonly most?: number } = {},
): Recording {
  const { recorders } = engineOf(host);
  const hops: Hop[] = [];
  const record = (hop: Hop) => {
    if (hops.push(hop) > most) hops.shift();
  };
  recorders.add(record);
  return { hops, stop: () => void recorders.delete(record) };
}
