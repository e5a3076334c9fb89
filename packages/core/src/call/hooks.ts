import type { HostPlugin } from "../types/plugin.ts";
import type { MetaRequest } from "../types/tool-call.ts";
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
