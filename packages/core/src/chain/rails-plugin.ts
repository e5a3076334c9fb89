import type { HostKit, HostPlugin } from "../types/plugin.ts";
import type { NamedTools } from "../types/tool.ts";
import { askRails } from "./ask-rails.ts";
import { compileRails } from "./compile-rails.ts";
import { isReach, type Rail } from "./rail.ts";

/** The operator's rules for which call follows which result, as a plugin. */
export function railsPlugin(rails: readonly Rail[], { emit, now }: Pick<HostKit, "emit" | "now">) {
  const compiled = compileRails(rails);
  const plugin: HostPlugin = {
    name: "rules",
    names: rails.flatMap((rail, index) =>
      toolsOf(rail).map((pattern): NamedTools => ({ option: `rails[${index}]`, pattern })),
    ),
    nextCall: (hop, { context, next }) =>
      askRails(compiled, {
        hop,
        context,
        askServer: next,
        onSkipped(skipped) {
          const { runId, callId, server, tool } = hop;
          const about = { atMs: now(), runId, callId, tool: `${server}.${tool}` };
          emit({ type: "rail-skipped", ...about, ...skipped });
        },
      }),
    reaches: compiled.mayReach,
  };
  return plugin;
}

function toolsOf(rail: Rail): readonly string[] {
  if (isReach(rail)) return [rail.after, rail.reaches];
  const { after, next } = rail;
  return next !== false && typeof next !== "function" ? [after, next.tool] : [after];
}
