import type { ToolCall } from "@toolrail/core";
import { askStore, type HostKit, toConversationKey } from "@toolrail/core/plugin";
import { canonicalJson, isJsonObject, type JsonObject, measure, sha256 } from "@toolrail/json";
import { argumentLeaves, leavesWithin } from "./argument-leaves.ts";

/** The maximum number of targets of one call. If there are more, none is endorsed. */
const MAX_VALUES = 50;
const MAX_KEPT = 500;
const MAX_CONTEXT = { maxBytes: 65_536, maxDepth: 16 };

type Parts = Pick<HostKit, "store" | "userOf" | "limits">;

/**
 * Creates the register of values that a person has approved as targets of a tool, for one conversation and user. The host's store
 * contains hashes of them, for `limits.pendingHopTtlMs`. If the store fails, or if two processes write at once, a person may be
 * asked again.
 */
export function createEndorsements({ store, userOf, limits }: Parts) {
  const knownTargets = new WeakMap<JsonObject, readonly string[]>();
  const hashTargets = async ({ arguments: args }: ToolCall, targets: readonly string[]) => {
    const leaves = targets.length === 0 ? [] : leavesWithin(argumentLeaves(args), targets);
    if (leaves.length > MAX_VALUES) return [];
    return Promise.all(
      leaves.map(async ({ path, raw }) => {
        return { path, hash: await sha256(canonicalJson([path, raw])) };
      }),
    );
  };
  const read = async (key: string): Promise<readonly unknown[]> => {
    const stored = await askStore(() => store.get(key)).catch(() => undefined);
    return Array.isArray(stored) ? stored : [];
  };
  /** Builds the key for a tool and a user, or for the whole context if it names no user. Returns `undefined` if it is not plain JSON. */
  const createKey = async ({ tool, context, conversation }: ToolCall) => {
    const user = userOf(context);
    const isPlain = isJsonObject(context) || Object(context) !== context;
    if (user === undefined && (!isPlain || measure(context, MAX_CONTEXT))) return undefined;
    const { id, description = null, inputSchema } = tool;
    const parts = [user ?? { context }, id, description, inputSchema];
    return toConversationKey(conversation, `endorsed:${await sha256(canonicalJson(parts))}`);
  };
  return {
    /** Finds the paths of the targets whose values were approved before. */
    async find(call: ToolCall, targets: readonly string[] = [""]): Promise<readonly string[]> {
      knownTargets.set(call.arguments, targets);
      const values = await hashTargets(call, targets);
      const key = values.length > 0 ? await createKey(call) : undefined;
      if (key === undefined) return [];
      const known = new Set(await read(key));
      return values.filter(({ hash }) => known.has(hash)).map(({ path }) => path);
    },
    /** Stores the targets of a call that a person has approved. */
    async add(call: ToolCall): Promise<void> {
      const values = await hashTargets(call, knownTargets.get(call.arguments) ?? []);
      const key = values.length > 0 ? await createKey(call) : undefined;
      if (key === undefined) return;
      const all = new Set([...(await read(key)), ...values.map(({ hash }) => hash)]);
      const hashes = [...all].slice(-MAX_KEPT);
      await askStore(() => store.set(key, hashes, limits.pendingHopTtlMs)).catch(() => undefined);
    },
  };
}
