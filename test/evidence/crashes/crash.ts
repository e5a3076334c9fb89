import { Command, MemorySaver } from "@langchain/langgraph";
import type { Store } from "@toolrail/core";
import { beginLife, type CrashPoint, type Life } from "./life.ts";
import { openShop, STEPS } from "./shop.ts";
import type { Way } from "./ways.ts";

/** What became of an order whose process died once. */
export interface Outcome {
  /** The process died: false if it was done before it came to that point. */
  readonly hasDied: boolean;
  /** Calls that were made more than once, and calls that were never made. */
  readonly twice: readonly string[];
  readonly missing: readonly string[];
  /** A person was asked what became of a call. */
  readonly asked: boolean;
}

/** Runs an order in a process that dies at that point, and then in one that lives. */
export async function crash({ open, knowsKeys }: Way, point: CrashPoint): Promise<Outcome> {
  const disk = new MemorySaver();
  const rows = new Map<string, string>();
  const books: string[] = [];
  const keys = knowsKeys && new Set<string>();
  let asked = false;

  async function live(life: Life): Promise<void> {
    const shop = await openShop(life, { books, keys });
    const graph = await open({ life, shop, store: openStore(life, rows) });
    const config = { configurable: { thread_id: "order" }, durability: "sync" };
    const { configurable = {} } = (await graph.getState(config as never)).config;
    const isBegun = "checkpoint_id" in configurable && configurable.checkpoint_id !== undefined;
    let state = await graph.invoke((isBegun ? null : graph.input) as never, config);
    for (let more = 0; "__interrupt__" in state && more < STEPS.length; more++) {
      asked = true;
      const [{ id, value }] = state.__interrupt__ as [Interrupt];
      // The person looks into the shop's books.
      const name = value.actionRequests[0]?.name ?? "";
      const isMade = books.some((one) => name.endsWith(one));
      const decision = isMade ? { type: "reject", message: "It was made." } : { type: "approve" };
      state = await graph.invoke(
        new Command({ resume: { [id]: { decisions: [decision] } } }) as never,
        config,
      );
    }
  }

  const first = beginLife(disk, point);
  await Promise.race([live(first), first.died]);
  if (first.isDead()) await live(beginLife(disk));
  const made = (name: string) => books.filter((one) => one === name).length;
  return {
    hasDied: first.isDead(),
    twice: STEPS.filter((name) => made(name) > 1),
    missing: STEPS.filter((name) => made(name) === 0),
    asked,
  };
}

interface Interrupt {
  readonly id: string;
  readonly value: { readonly actionRequests: readonly { readonly name: string }[] };
}

/** A table that outlives its processes. */
function openStore(life: Life, rows: Map<string, string>): Required<Store> {
  return {
    get: (key) => life.whileAlive(async () => JSON.parse(rows.get(key) ?? "null") ?? undefined),
    set: (key, value) => life.whileAlive(async () => void rows.set(key, JSON.stringify(value))),
    delete: (key) => life.whileAlive(async () => rows.delete(key)),
    claim: (key, value) =>
      life.whileAlive(async () => {
        if (rows.has(key)) return false;
        rows.set(key, JSON.stringify(value));
        return true;
      }),
  };
}
