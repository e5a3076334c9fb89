import { type Hop, ToolrailError } from "@toolrail/core";
import { engineOf, type ShortHop } from "@toolrail/core/adapter";
import { scopeOf } from "../tools/call-config.ts";
import type { NodeContext } from "./pipe-node.ts";
import type { Kept } from "./pipe-state.ts";

type Rows = Pick<NodeContext, "shared" | "config">;

/** What is kept of a step, with its long results in the store of the host, where that has `references` and a `store`. */
export async function toRows(kept: Kept, { shared, config }: Rows): Promise<Kept> {
  const { hopRows } = engineOf(shared.run.host);
  const scope = scopeOf(config);
  if (!hopRows || scope === undefined) return kept;
  return mapHops(kept, async (hop) => {
    const short = await hopRows.put(hop, scope);
    if (short !== hop) shared.whole.set(short, hop);
    return short;
  });
}

/** Reads what lies in the store of a step, once in a run. Rejects with `reference-lost`, or where the store fails. */
export async function readRows(kept: Kept, { shared }: Pick<Rows, "shared">): Promise<void> {
  await mapHops(kept, async (hop) => {
    if (!hop.rows || shared.whole.has(hop)) return hop;
    const { hopRows } = engineOf(shared.run.host);
    if (!hopRows) throw new ToolrailError("reference-lost", NO_ROWS);
    shared.whole.set(hop, await hopRows.take(hop));
    return hop;
  });
}

const NO_ROWS =
  "The pipe was not continued: its results lie in the store of another host. Give this host `references` and the same `store`.";

async function mapHops(kept: Kept, map: (hop: ShortHop) => Promise<Hop>): Promise<Kept> {
  const all = (hops: readonly Hop[]) => Promise.all(hops.map(map));
  if (kept.type === "ended" && kept.hops) return { ...kept, hops: await all(kept.hops) };
  if (kept.type !== "waiting") return kept;
  return { ...kept, chain: { ...kept.chain, hops: await all(kept.chain.hops) } };
}
