import { isJsonObject } from "@toolrail/json";
import type { ToolCall } from "../types/tool-call.ts";
import type { Hooks } from "./hooks.ts";
import { untilAborted } from "./until-aborted.ts";

/** Lets plugins change the arguments of a call. The result also holds the original arguments, if they have changed. */
export async function transformed(
  { resolveArguments = [], transformArguments: transforms = [] }: Hooks,
  call: ToolCall,
): Promise<Pick<ToolCall, "arguments" | "written" | "references">> {
  let made: ToolCall = call;
  for (const resolve of resolveArguments) {
    const resolved = await untilAborted(resolve(made), call.signal);
    if (resolved) made = { ...made, ...resolved };
  }
  for (const transform of isJsonObject(made.arguments) ? transforms : []) {
    const replaced = await untilAborted(transform(made), call.signal);
    if (replaced === undefined || replaced === made.arguments) continue;
    made = { ...made, arguments: replaced, written: made.written ?? call.arguments };
  }
  const { arguments: args, written, references } = made;
  return { arguments: args, ...(written && { written }), ...(references && { references }) };
}
