import { ToolrailError } from "../errors.ts";
import { measure } from "../json.ts";
import type { Hop } from "../result/hop.ts";
import { askInTime } from "./call-once.ts";
import type { DoorParts } from "./door-parts.ts";
import { toScopedKey } from "./memory-store.ts";
import { notify } from "./notify.ts";
import type { Store } from "./store.ts";
import { toolId } from "./tool.ts";

/** A row of the store with parts of a hop. Plain JSON. */
interface Row {
  readonly key: string;
  readonly answer: Pick<Hop, "callId"> & Partial<Hop>;
}

/** Which row holds a result, or other long part of a hop. */
export type Rows = WeakMap<object, Row>;

/** What is written down of a hop. Of one with rows nothing may be read but its `callId`, `server` and `tool`. */
export interface ShortHop extends Hop {
  readonly rows?: readonly string[];
}

export type HopRows = ReturnType<typeof createHopRows>;

interface RowParts extends Pick<DoorParts, "rows"> {
  readonly store: Store;
  /** Longer parts are put into the store, in bytes of JSON. */
  readonly minLength: number;
  readonly ttlMs: number;
}

/** Keeps long results of calls in the store alone, for engines that write down what their steps have come to. */
export function createHopRows({ store, rows, minLength, ttlMs }: RowParts) {
  const isLong = (part: object) => measure(part, { maxBytes: minLength, maxDepth: 512 });
  const note = ({ key, answer }: Row) => {
    for (const part of [answer.result, answer.arguments, answer.output]) {
      if (part) rows.set(part, { key, answer });
    }
  };
  return {
    /** Puts long parts of a hop where the door has not: what is left of it, or itself where the store fails. */
    async put(hop: Hop, scope: string): Promise<ShortHop> {
      const { callId, server, tool, result, arguments: args, output } = hop;
      const long = [result, args, output].filter(isLong);
      const rowOf = (part: object) => {
        const row = rows.get(part);
        return row?.answer.callId === callId ? row : undefined;
      };
      const isFresh = (part: object) => long.includes(part as never) && !rowOf(part);
      if (long.some(isFresh)) {
        const more = {
          ...(isFresh(args) && { arguments: args }),
          ...(isFresh(output) && { output }),
        };
        const answer = isFresh(result) ? hop : { callId, ...more };
        const key = toScopedKey(scope, `${isFresh(result) ? "hop" : "more"}:${callId}`);
        await notify(async () => {
          await askInTime(() => store.set(key, { answer }, ttlMs));
          note({ key, answer });
        }, undefined);
      }
      const found = long.flatMap((part) => rowOf(part) ?? []);
      if (found.length === 0) return hop;
      const held = new Set(found.flatMap(({ answer }) => Object.keys(answer)));
      const left = Object.entries(hop).filter(([name]) => !held.has(name));
      const keys = new Set(found.map(({ key }) => key));
      return {
        ...(Object.fromEntries(left) as Partial<Hop> as Hop),
        callId,
        server,
        tool,
        rows: [...keys],
      };
    },
    /** The whole hop, whose rows are kept anew. Rejects with `reference-lost`, and `callback-failed` where the store fails. */
    async take({ rows: keys = [], ...hop }: ShortHop): Promise<Hop> {
      const read = async (key: string) => {
        const value = await askInTime(() => store.get(key));
        const { answer } = Object(value) as Partial<Row>;
        if (answer?.callId !== hop.callId) throw lostResult(hop);
        await notify(async () => {
          await askInTime(() => store.set(key, value, ttlMs));
        }, undefined);
        note({ key, answer });
        return answer;
      };
      return Object.assign({}, hop, ...(await Promise.all(keys.map(read))));
    },
  };
}

function lostResult({ server, tool: name }: ShortHop): ToolrailError {
  const message = `The run did not go on: what ${toolId({ server, name })} answered is no longer in the store of the host. It has expired (limits.pendingHopTtlMs), or was lost. No call was made again; begin a new run.`;
  return new ToolrailError("reference-lost", message);
}
