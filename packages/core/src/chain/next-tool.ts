import { z } from "zod";
import type { Hooks, NextCall, Plugin } from "../call/plugin.ts";
import { type Tool, toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import { canonicalJson, copyJson, type JsonObject } from "../json/json.ts";
import { quoted, sentence } from "../json/plain-text.ts";
import { jsonObject, name as nameText, readShape } from "../json/shape.ts";
import { type CallToolResult, isForModel } from "../result/call-tool-result.ts";
import { type Hop, toRef } from "../result/hop.ts";

/** The call that a result asks for. */
export interface NextTool {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** The keys of a result's `_meta` that name the next tool by default. */
const NEXT_TOOL_KEYS: readonly string[] = ["nextTool", "openai/nextTool"];

/** Reads the next call of a result, where `name` may replace `tool`. All keys must agree. Returns a text if one is malformed. */
export function readNextTool(
  result: CallToolResult,
  keys: readonly string[],
): NextTool | string | undefined {
  const meta: JsonObject = result._meta ?? {};
  const asking = keys.filter((key) => Object.hasOwn(meta, key) && (meta[key] ?? null) !== null);
  return asking.length > 0 ? readAgreed(meta, asking) : undefined;
}

function readAgreed(meta: JsonObject, keys: readonly string[]): NextTool | string | undefined {
  const calls = keys.map((key) => ({ place: `_meta["${key}"]`, next: toNextTool(meta[key]) }));
  const [first] = calls;
  for (const { place, next } of calls) {
    if (typeof next === "string") return `${place} ${next}`;
    if (canonicalJson(first?.next) !== canonicalJson(next))
      return `${first?.place} and ${place} name different calls`;
  }
  return first?.next;
}

const NEXT_TOOL = /* @__PURE__ */ z.strictObject({
  tool: nameText.optional(),
  name: nameText.optional(),
  arguments: jsonObject.default({}),
});

/** Reads a call in the form of `nextTool`. Returns a text if it is malformed. */
export function toNextTool(value: unknown): NextTool | string {
  const { value: next, defect } = readShape(NEXT_TOOL, value);
  if (defect !== undefined) return `must be an object { tool, arguments? }: ${defect}`;
  const { tool = next.name, name = tool, arguments: args } = next;
  if (tool === undefined) return "must name a tool";
  if (tool !== name) return "has both tool and name, and they differ";
  return { tool, arguments: args };
}

/** The call that is asked for after a result. Without a `rule`, the server asks for it. */
export type AskedNext = Required<Omit<NextCall, "rule">> & Pick<NextCall, "rule">;

interface Finished {
  readonly hop: Hop;
  readonly context: unknown;
  readonly tools: readonly Tool[];
  /** The keys at which the server of the hop names the next tool. */
  readonly keys: readonly string[] | undefined;
}

/** Decides what follows from a result: each plugin may decide or ask the next, and the server comes last. Throws `malformed-next-tool`. */
export async function findAskedCall(
  { plugins }: Pick<Hooks, "plugins">,
  finished: Finished,
): Promise<AskedNext | undefined> {
  const [plugin, ...others] = plugins.filter(({ nextCall }) => nextCall !== undefined);
  if (!plugin) return readServerCall(finished.hop, finished.keys);
  return askPlugin(plugin, finished, () => findAskedCall({ plugins: others }, finished));
}

async function askPlugin(
  plugin: Plugin,
  { hop, context, tools }: Finished,
  askLater: () => Promise<AskedNext | undefined>,
): Promise<AskedNext | undefined> {
  let later: AskedNext | undefined;
  const next = async () => {
    later = await askLater();
    return later && toCopy(later);
  };
  const answer = await plugin.nextCall?.(hop, { next, tools, context });
  return answer && examine(answer, { plugin: plugin.name, hop, later });
}

function readServerCall(hop: Hop, keys = NEXT_TOOL_KEYS): AskedNext | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") {
    return next && { ...next, forUserAlone: mayHoldUserContent(next, hop) };
  }
  const message = sentence(`The result of ${toolId(toRef(hop))}: ${quoted(next)}`);
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
    const message = `After the result of ${toolId(toRef(hop))}, the call of the plugin "${quoted(plugin)}" ${next}`;
    throw new ToolrailError("malformed-next-tool", sentence(message));
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
