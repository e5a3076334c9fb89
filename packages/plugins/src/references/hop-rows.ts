import { type Hop, type Store, ToolrailError } from "@toolrail/core";
import { notify } from "@toolrail/core/adapter";
import {
  askInTime,
  type HopRow,
  type HopRows,
  type ShortHop,
  toConversationKey,
  toolId,
} from "@toolrail/core/plugin";
import { measure } from "@toolrail/json";

interface RowParts {
  readonly store: Store;
  /** The minimum bytes of JSON of a hop that is moved to the store. */
  readonly minLength: number;
  readonly ttlMs: number;
}

/** Keeps long hops only in the store, for engines that checkpoint the results of their steps. */
export function createHopRows({ store, minLength, ttlMs }: RowParts): HopRows {
  const rows = new WeakMap<object, HopRow>();
  const isLong = (part: object) => measure(part, { maxBytes: minLength, maxDepth: 512 });
  return {
    rows,
    async put(hop: Hop, conversation: string): Promise<ShortHop> {
      const { callId, server, tool, result } = hop;
      const row = rows.get(result);
      const rowsFound = row?.answer.callId === callId && isLong(result) ? [row] : [];
      const storedFields = rowsFound.flatMap(({ answer }) => Object.keys(answer));
      const entries = Object.entries(hop).filter(([name]) => !storedFields.includes(name));
      let left: object = Object.fromEntries(entries);
      if (isLong(left)) {
        // The call was made once, but another worker may have stored more or less of it.
        const name = rowsFound.length > 0 ? "rest" : "hop";
        const newRow = {
          key: toConversationKey(conversation, `${name}:${callId}`),
          answer: { ...left, callId },
        };
        await notify(async () => {
          await askInTime(() => store.set(newRow.key, { answer: newRow.answer }, ttlMs));
          if (rowsFound.length === 0) rows.set(result, newRow);
          rowsFound.push(newRow);
          left = {};
        }, undefined);
      }
      if (rowsFound.length === 0) return hop;
      const keys = rowsFound.map(({ key }) => key);
      return { ...(left as Hop), callId, server, tool, rows: keys };
    },
    async take({ rows: keys = [], ...hop }: ShortHop): Promise<Hop> {
      const read = async (key: string) => {
        const value = await askInTime(() => store.get(key));
        const { answer } = Object(value) as Partial<HopRow>;
        if (answer?.callId !== hop.callId) throw lostResult(hop);
        if (answer.result) rows.set(answer.result, { key, answer });
        const renew = async () => void (await askInTime(() => store.set(key, value, ttlMs)));
        await notify(renew, undefined);
        return answer;
      };
      return Object.assign({}, hop, ...(await Promise.all(keys.map(read))));
    },
  };
}

function lostResult({ server, tool: name }: ShortHop): ToolrailError {
  const message = `The run cannot continue: the answer of ${toolId({ server, name })} is no longer in the store of the host. It has expired (limits.pendingHopTtlMs) or was lost. No call was repeated. Start a new run.`;
  return new ToolrailError("reference-lost", message);
}
