import { isJsonObject } from "../json/json.ts";
import { joinKey } from "../json/path.ts";
import { shorten } from "../json/plain-text.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { HostPlugin } from "../types/plugin.ts";
import type { MetaRequest, ToolCall } from "../types/tool-call.ts";
import { untilAborted } from "./until-aborted.ts";

type Member = {
  [Name in keyof HostPlugin]-?: NonNullable<HostPlugin[Name]> extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof HostPlugin];

/** The functions of a host's plugins, by member and in the order of `use`. A list may be empty. */
export type Hooks = {
  readonly [Name in Member]: readonly NonNullable<HostPlugin[Name]>[];
} & { readonly plugins: readonly HostPlugin[] };

/** Lets plugins change the arguments of a call. The result also holds the original arguments, if they have changed. */
export async function transformByPlugins(
  { transformArguments: transforms }: Pick<Hooks, "transformArguments">,
  call: ToolCall,
): Promise<Pick<ToolCall, "arguments" | "written" | "references">> {
  const { arguments: written } = call;
  let sent = written;
  for (const transform of isJsonObject(written) ? transforms : []) {
    const current = { ...call, arguments: sent, ...(sent !== written && { written }) };
    sent = (await untilAborted(transform(current), call.signal)) ?? sent;
  }
  if (sent === written) return { arguments: sent };
  const references = findReplaced(written, sent).slice(0, MAX_REPLACED);
  return { arguments: sent, written, ...(references.length > 0 && { references }) };
}

const MAX_REPLACED = 20;
const MAX_DEPTH = 16;
const MAX_SHOWN = 300;

/** Finds what plugins have replaced in arguments, with the beginnings of both values for a person who is asked. */
function findReplaced(
  written: unknown,
  sent: unknown,
  { path = "", depth = 0 } = {},
): readonly UsedReference[] {
  if (written === sent) return [];
  const isSame = Array.isArray(written)
    ? Array.isArray(sent) && written.length === sent.length
    : isJsonObject(written) && isJsonObject(sent) && !("$ref" in written);
  if (isSame && depth < MAX_DEPTH) {
    const [before, after] = [
      new Map(Object.entries(Object(written))),
      new Map(Object.entries(Object(sent))),
    ];
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const at = joinKey(path, Array.isArray(written) ? Number(key) : key);
      return findReplaced(before.get(key), after.get(key), { path: at, depth: depth + 1 });
    });
  }
  const show = (value: unknown) =>
    shorten(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), MAX_SHOWN);
  const shown = { address: show(written), preview: show(sent) };
  return shown.address === shown.preview &&
    typeof sent !== "string" &&
    JSON.stringify(written) === JSON.stringify(sent)
    ? []
    : [{ path, ...shown }];
}

/** Collects what plugins add to a request. If several set the same key, the first plugin's value counts. */
export async function askForRequest<Name extends "requestMeta" | "requestHeaders">(
  hooks: Pick<Hooks, Name>,
  { name, request, signal }: { name: Name; request: MetaRequest; signal?: AbortSignal | undefined },
): Promise<Awaited<ReturnType<NonNullable<HostPlugin[Name]>>>> {
  let all: object | undefined;
  for (const ask of hooks[name]) {
    const given = await untilAborted(ask(request), signal);
    if (given) all = all ? { ...given, ...all } : given;
  }
  return all as Awaited<ReturnType<NonNullable<HostPlugin[Name]>>>;
}
