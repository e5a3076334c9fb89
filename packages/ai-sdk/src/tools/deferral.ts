import type { Host, Tool, ToolFilter } from "@toolrail/core";
import { deferredTools, offeredTools } from "@toolrail/core/adapter";
import { type Deferral, invalidOptions } from "@toolrail/core/internal";
import { DEFERRED_BY_PROVIDER } from "../sdk-internals.ts";
import type { SdkTool } from "../sdk-types.ts";

/** The tools that a model finds by a search, and the kind of search. */
export interface SearchDeferral extends Deferral {
  /** The search: `"sdk"` is `toolSearch()` of `ai` 7, `"provider"` the tool of OpenAI or Anthropic. Default: `"sdk"`. */
  readonly by?: "sdk" | "provider";
}

export interface DeferredTools {
  readonly by: "sdk" | "provider";
  update(): void;
  /** Marks a tool of the SDK as deferred as long as `source` is deferred. */
  mark(tool: SdkTool<unknown>, source: Tool): void;
  /**
   * Adds the active tools to the settings of a step. The SDK reads them together with the deferred tools. So
   * `reached` are active in this step only, even if other runs with the same tools prepare steps at the same time.
   */
  activate<Settings extends object>(
    settings: Settings,
    active: { readonly names: readonly string[]; readonly reached: readonly string[] },
  ): Settings & { readonly activeTools: readonly string[] };
}

/** Reads the option `defer`. Returns `undefined` if nothing is deferred. Throws `invalid-options`. */
export function readDeferral(
  host: Host,
  { defer, tools }: { readonly defer?: ToolFilter | SearchDeferral; readonly tools?: ToolFilter },
): DeferredTools | undefined {
  if (defer === undefined) return undefined;
  const isList = Array.isArray(defer) || typeof defer === "function";
  const { by = "sdk", ...deferral } = isList ? { tools: defer } : (defer as SearchDeferral);
  if (by !== "sdk" && by !== "provider") {
    throw invalidOptions('`defer.by` must be "sdk" or "provider".');
  }
  const read = () => deferredTools(host, { offered: offeredTools(host, tools), defer: deferral });
  let deferred = read();
  let reached: readonly string[] = [];
  return {
    by,
    update() {
      deferred = read();
    },
    mark(tool, { id, modelName }) {
      const isDeferred = () => deferred.has(id) && !reached.includes(modelName);
      const [name, get] =
        by === "sdk"
          ? (["deferLoading", isDeferred] as const)
          : (["providerOptions", () => (isDeferred() ? DEFERRED_BY_PROVIDER : {})] as const);
      Object.defineProperty(tool, name, { get, enumerable: true, configurable: true });
    },
    activate: (settings, active) =>
      Object.defineProperty({ ...settings, activeTools: active.names }, "activeTools", {
        enumerable: true,
        get() {
          reached = active.reached;
          return active.names;
        },
      }),
  };
}
