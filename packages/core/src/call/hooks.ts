import { isJsonObject } from "@toolrail/json";
import type { HostPlugin } from "../types/plugin.ts";
import type { MetaRequest, ToolCall } from "../types/tool-call.ts";
import { untilAborted } from "./until-aborted.ts";

type Member = {
  [Name in keyof HostPlugin]-?: NonNullable<HostPlugin[Name]> extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof HostPlugin];

/** The functions of a host's plugins, by member and in the order of `use`. A member that no plugin has is `undefined`. */
export type Hooks = {
  readonly [Name in Member]?: readonly NonNullable<HostPlugin[Name]>[] | undefined;
} & { readonly plugins: readonly HostPlugin[] };

/** Lets plugins change the arguments of a call. The result also holds the original arguments, if they have changed. */
export async function transformByPlugins(
  { resolveArguments = [], transformArguments: transforms = [] }: Hooks,
  call: ToolCall,
): Promise<Pick<ToolCall, "arguments" | "written" | "references">> {
  let current: ToolCall = call;
  for (const resolve of resolveArguments) {
    const resolved = await untilAborted(resolve(current), call.signal);
    if (resolved) current = { ...current, ...resolved };
  }
  for (const transform of isJsonObject(current.arguments) ? transforms : []) {
    const replaced = await untilAborted(transform(current), call.signal);
    if (replaced === undefined || replaced === current.arguments) continue;
    current = { ...current, arguments: replaced, written: current.written ?? call.arguments };
  }
  const { arguments: args, written, references } = current;
  return { arguments: args, ...(written && { written }), ...(references && { references }) };
}

/** Collects what plugins add to a request. If several set the same key, the first plugin's value counts. */
export async function askForRequest<Name extends "requestMeta" | "requestHeaders">(
  hooks: Pick<Hooks, Name>,
  { name, request, signal }: { name: Name; request: MetaRequest; signal?: AbortSignal | undefined },
): Promise<Awaited<ReturnType<NonNullable<HostPlugin[Name]>>>> {
  let all: object | undefined;
  for (const ask of hooks[name] ?? []) {
    const given = await untilAborted(ask(request), signal);
    if (given) all = all ? { ...given, ...all } : given;
  }
  return all as Awaited<ReturnType<NonNullable<HostPlugin[Name]>>>;
}
