import { quoted } from "@toolrail/json";
import type { Hooks } from "../call/hooks.ts";
import { ToolrailError } from "../errors.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { isForUserAlone } from "../result/model-view.ts";
import { holdsUserContent } from "../result/user-content.ts";
import type { NextCall } from "../types/plugin.ts";
import { toolId } from "../types/tool.ts";
import { NEXT_TOOL_KEYS, type NextToolKey, readNextTool, toNextTool } from "./next-tool.ts";

/** The parts of a host that decide what follows from a result. */
export interface NextParts {
  /** The keys at which results name the next tool, by server. Default of a server: `NEXT_TOOL_KEYS`. */
  readonly nextToolKeys: ReadonlyMap<string, readonly NextToolKey[]>;
  readonly hooks: Hooks;
}

/** The call that is asked for after a result. Without a `rule`, the server asks for it. */
export type AskedNext = Required<Pick<NextCall, "tool" | "arguments" | "forUserAlone">> &
  Pick<NextCall, "rule">;

interface Asked {
  readonly hop: Hop;
  readonly context: unknown;
}

/** Decides what follows from a result: each plugin may decide or ask the next, and the server comes last. Throws `malformed-next-tool`. */
export function decideNext(
  { hooks, nextToolKeys }: NextParts,
  asked: Asked,
): AskedNext | undefined | Promise<AskedNext | undefined> {
  const askServer = () =>
    nextOfServer(asked.hop, nextToolKeys.get(asked.hop.server) ?? NEXT_TOOL_KEYS);
  if (!hooks.nextCall) return askServer();
  const ask = hooks.plugins.reduceRight<() => Promise<AskedNext | undefined>>(
    (next, { name, nextCall }) => {
      if (!nextCall) return next;
      const { hop, context } = asked;
      return async () => {
        const answer = await nextCall(hop, { next, context });
        return answer && toAsked(answer, { name, hop });
      };
    },
    async () => askServer(),
  );
  return ask();
}

function nextOfServer(hop: Hop, keys: readonly NextToolKey[]): AskedNext | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") {
    return next && known({ ...next, forUserAlone: holdsUserContent(next.arguments, hop) });
  }
  throw new ToolrailError("malformed-next-tool", `${resultOf(hop)}: ${quoted(next)}.`);
}

/** The calls that the host has examined. A plugin may pass them on unchanged. */
const examined = new WeakSet<object>();

function known(next: AskedNext): AskedNext {
  examined.add(next);
  return next;
}

/** Examines the call of a plugin. If it may contain content for the user alone, the call is for the user alone. */
function toAsked(
  answer: NextCall,
  { name, hop }: { readonly name: string; readonly hop: Hop },
): AskedNext {
  if (examined.has(answer)) return answer as AskedNext;
  const { rule = name, forUserAlone, ...call } = answer;
  const next = toNextTool(call);
  if (typeof next === "string") {
    const message = `After the result of ${toolId(toRef(hop))}, the call of the plugin "${quoted(name)}" ${next}.`;
    throw new ToolrailError("rule-failed", message);
  }
  const { result, origin } = hop;
  const isHidden = isForUserAlone(result) && result.structuredContent !== undefined;
  const mayHold = (isHidden || origin.forUserAlone) && Object.keys(next.arguments).length > 0;
  const holds = (forUserAlone ?? mayHold) || holdsUserContent(next.arguments, hop);
  return known({ ...next, rule, forUserAlone: holds });
}

function resultOf(hop: Hop): string {
  return `The result of ${toolId(toRef(hop))}`;
}
