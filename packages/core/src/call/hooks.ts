import type { Hop } from "../result/hop.ts";
import type { HostPlugin } from "../types/plugin.ts";
import type { MetaRequest } from "../types/tool-call.ts";
import { notify } from "./notify.ts";
import { untilAborted } from "./until-aborted.ts";

/** The members of plugins that are functions. */
type Member = {
  [Name in keyof HostPlugin]-?: NonNullable<HostPlugin[Name]> extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof HostPlugin];

/** The functions of a host's plugins, by member and in the order of `use`. A member that no plugin has is `undefined`. */
export type Hooks = {
  readonly [Name in Member]?: readonly NonNullable<HostPlugin[Name]>[] | undefined;
} & { readonly plugins: readonly HostPlugin[] };

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

/** Finds the trace context of a call or a run, if a plugin knows it. */
export function traceparentOf({ traceparentOf: all }: Hooks, id: string): string | undefined {
  for (const ask of all ?? []) {
    const found = ask(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Passes a finished call to the plugins, and waits for them. Their errors are dropped. */
export async function tellHop(
  { onHop = [] }: Hooks,
  { hop, signal }: { readonly hop: Hop; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { origin } = hop;
  // Only the first call of a chain answers the model's tool call. The later calls have no id of one.
  const toolCallId = origin.by === "model" ? origin.toolCallId : undefined;
  const notified = Promise.all(
    onHop.map((listener) => notify(listener, { toolCallId, hop }, Number.POSITIVE_INFINITY)),
  );
  await untilAborted(notified, signal).catch(() => {});
}
