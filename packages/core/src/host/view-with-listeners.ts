import type { CallListeners } from "../call/call-options.ts";
import type { KeepOptions } from "../call/plugin.ts";
import { toolId } from "../call/tool.ts";
import { type ChainResult, type Hop, toRef } from "../result/hop.ts";
import { isForUserInPart, type ModelView, modelView } from "../result/model-view.ts";
import { engineOf } from "./engine.ts";
import type { Host } from "./host.ts";

/** Returns the `modelView` of a result, with long results kept. If nothing shows results to the user, it warns, and nothing counts as shown. */
export async function viewWithListeners(
  source: Hop | ChainResult,
  { host, onHop, onResult, conversation, canRead }: CallListeners & KeepOptions & { host: Host },
): Promise<ModelView> {
  const { hasListener, warn } = engineOf(host);
  const isShown = hasListener || Boolean(onHop ?? onResult);
  if (!isShown && isForUserInPart(source)) warn("nobody-listens");
  const keeping = { conversation, ...(canRead !== undefined && { canRead }) };
  const short = await host.keep(source, keeping);
  return modelView(short, { isShown, tools: host.tools });
}

/** A finished call without its content, as a user interface may show it. */
export interface HopSummary {
  /** `server.tool`. */
  readonly tool: string;
  /** False if the result has `isError`. */
  readonly ok: boolean;
  readonly durationMs: number;
  /** True if the person who approved the call changed its arguments. */
  readonly changed?: true;
}

/** Summarises a finished call, without its content. */
export function toHopSummary(hop: Hop): HopSummary {
  const { result, durationMs, changedFrom } = hop;
  const changed = changedFrom && ({ changed: true } as const);
  return { tool: toolId(toRef(hop)), ok: result.isError !== true, durationMs, ...changed };
}
