import { ToolrailError } from "../errors.ts";
import { measure } from "../json.ts";
import type { Hop } from "../result/hop.ts";
import { type Answer, askInTime } from "./call-once.ts";
import type { DoorParts } from "./door-parts.ts";
import { toScopedKey } from "./memory-store.ts";
import { notify } from "./notify.ts";
import type { Store } from "./store.ts";
import { toolId } from "./tool.ts";

/** A hop whose long parts lie in rows of the store: what stands in their place is empty. */
export interface ShortHop extends Hop {
  readonly rows?: readonly string[];
}

/** Which row of the store holds a result, or the arguments, of which call. */
export type Rows = WeakMap<object, { readonly key: string; readonly callId: string }>;

const EMPTY = { result: { content: [] }, arguments: {}, output: { status: "unchecked" } } as const;

export type HopRows = ReturnType<typeof createHopRows>;

interface RowParts extends Pick<DoorParts, "rows"> {
  readonly store: Store;
  /** Longer results and arguments are put into the store, in bytes of JSON. */
  readonly minLength: number;
  readonly ttlMs: number;
}

/** Keeps long results of calls in the store alone, for engines that write down what their steps have come to. */
export function createHopRows({ store, rows, minLength, ttlMs }: RowParts) {
  const isLong = ([, part]: readonly [string, object]) =>
    measure(part, { maxBytes: minLength, maxDepth: 512 }) !== undefined;
  const rowOf = (part: object, { callId }: Hop) => {
    const row = rows.get(part);
    return row?.callId === callId ? row.key : undefined;
  };
  return {
    /** The hop with its long parts in the store, where they may be already; itself where the store takes them not. */
    async put(hop: Hop, scope: string): Promise<ShortHop> {
      const { callId, result, arguments: args, output } = hop;
      const long = Object.entries({ result, arguments: args, output }).filter(isLong);
      const fresh = long.filter(([, part]) => rowOf(part, hop) === undefined);
      if (fresh.length > 0) {
        const names = fresh.map(([name]) => name).join();
        const key = toScopedKey(scope, `hop:${callId}:${names}`);
        const value = { answer: { callId, ...Object.fromEntries(fresh) } };
        const put = async () => {
          await askInTime(() => store.set(key, value, ttlMs));
          for (const [, part] of fresh) rows.set(part, { key, callId });
        };
        await notify(put, undefined);
      }
      const kept = long.flatMap(([name, part]) => {
        const key = rowOf(part, hop);
        return key === undefined ? [] : [{ name, key }];
      });
      if (kept.length === 0) return hop;
      const short = kept.map(({ name }) => [name, EMPTY[name as keyof typeof EMPTY]]);
      const keys = [...new Set(kept.map(({ key }) => key))];
      return { ...hop, ...Object.fromEntries(short), rows: keys };
    },
    /** The whole hop, whose rows are kept anew. Rejects with `reference-lost`, and `callback-failed` where the store fails. */
    async take({ rows: keys = [], ...hop }: ShortHop): Promise<Hop> {
      const { callId } = hop;
      const read = async (key: string): Promise<Partial<Hop>> => {
        const value = await askInTime(() => store.get(key));
        const { answer } = Object(value) as { readonly answer?: Answer };
        if (answer?.callId !== callId) throw lostResult(hop);
        await notify(() => askInTime(() => void store.set(key, value, ttlMs)), undefined);
        for (const part of Object.values(answer)) {
          if (part === Object(part)) rows.set(part as object, { key, callId });
        }
        return answer;
      };
      return Object.assign({}, hop, ...(await Promise.all(keys.map(read))));
    },
  };
}

function lostResult({ server, tool: name }: Hop): ToolrailError {
  const message = `The run did not go on: what ${toolId({ server, name })} answered is no longer in the store of the host. It has expired (limits.pendingHopTtlMs), or was lost. No call was made again; begin a new run.`;
  return new ToolrailError("reference-lost", message);
}
