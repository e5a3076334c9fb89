import type { Hooks } from "../call/hooks.ts";
import { ToolrailError } from "../errors.ts";
import { canonicalJson, copyJson } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import { isForModel } from "../result/content-block.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { NextCall } from "../types/plugin.ts";
import { type Tool, toolId } from "../types/tool.ts";
import {
  NEXT_TOOL_KEYS,
  type NextTool,
  type NextToolKey,
  readNextTool,
  toNextTool,
} from "./next-tool.ts";

/** The call that is asked for after a result. Without a `rule`, the server asks for it. */
export type AskedNext = Required<Omit<NextCall, "rule">> & Pick<NextCall, "rule">;

interface Finished {
  readonly hop: Hop;
  readonly context: unknown;
  readonly tools: readonly Tool[];
  /** The keys at which the server of the hop names the next tool. */
  readonly keys: readonly NextToolKey[] | undefined;
}

/** Decides what follows from a result: each plugin may decide or ask the next, and the server comes last. Throws `malformed-next-tool`. */
export function decideNext(
  hooks: Hooks,
  { hop, context, tools, keys }: Finished,
): AskedNext | undefined | Promise<AskedNext | undefined> {
  const askServer = () => readServerCall(hop, keys);
  if (!hooks.nextCall) return askServer();
  const ask = hooks.plugins.reduceRight<() => Promise<AskedNext | undefined>>(
    (askLater, plugin) => {
      if (!plugin.nextCall) return askLater;
      return async () => {
        let later: AskedNext | undefined;
        const next = async () => {
          later = await askLater();
          return later && toCopy(later);
        };
        const answer = await plugin.nextCall?.(hop, { next, tools, context });
        return answer && examine(answer, { plugin: plugin.name, hop, later });
      };
    },
    async () => askServer(),
  );
  return ask();
}

function readServerCall(hop: Hop, keys = NEXT_TOOL_KEYS): AskedNext | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") {
    return next && { ...next, forUserAlone: mayHoldUserContent(next, hop) };
  }
  const message = `The result of ${toolId(toRef(hop))}: ${quoted(next)}.`;
  throw new ToolrailError("malformed-next-tool", message);
}

/** Returns what a plugin receives of a call. If it changes the arguments, they may contain something for the user alone. */
function toCopy({ forUserAlone, arguments: args, ...next }: AskedNext): NextCall {
  return { ...next, arguments: copyJson(args), ...(forUserAlone && { forUserAlone }) };
}

/**
 * Examines the call of a plugin. If it may contain content for the user alone, the call is for the user alone. If the call of those
 * `later` is to the same tool, it is still theirs: a server that asks for a tool reaches no more because a plugin passes it on.
 */
function examine(
  answer: NextCall,
  { plugin, hop, later }: { plugin: string; hop: Hop; later: AskedNext | undefined },
): AskedNext {
  const { rule: stated, forUserAlone, ...call } = answer;
  const next = toNextTool(call);
  if (typeof next === "string") {
    const message = `After the result of ${toolId(toRef(hop))}, the call of the plugin "${quoted(plugin)}" ${next}.`;
    throw new ToolrailError("rule-failed", message);
  }
  const theirs = later?.tool === next.tool ? later : undefined;
  const rule = stated ?? (theirs ? theirs.rule : plugin);
  const isSame = theirs && canonicalJson(theirs.arguments) === canonicalJson(next.arguments);
  const mayHold = isSame ? theirs.forUserAlone : mayHoldUserContent(next, hop);
  const named = rule !== undefined && { rule };
  return { ...next, ...named, forUserAlone: forUserAlone ?? mayHold };
}

/** Arguments may hold content for the user alone if whoever wrote them could read such content. */
function mayHoldUserContent(next: NextTool, { origin, result }: Hop): boolean {
  const couldRead = origin.forUserAlone === true || !result.content.every(isForModel);
  return couldRead && Object.keys(next.arguments).length > 0;
}
