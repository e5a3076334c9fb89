/** The operator's rules: the call that follows a result. @module */

export type { CallRule, ReachRule, Rule, RuleView } from "./rule.ts";

import type { HostPlugin, HostUse } from "@toolrail/core/plugin";
import { askRules } from "./ask-rules.ts";
import { compileRules } from "./compile-rules.ts";
import { isReach, type Rule } from "./rule.ts";

/**
 * Creates a plugin of the operator's rules, which decide the call that follows a result. The first rule that applies counts, and
 * a server's `nextTool` goes before it. Each call passes all stages, and its origin names the rule.
 */
export function rules(list: readonly Rule[]): HostUse {
  return async ({ emit, now }): Promise<HostPlugin> => {
    const compiled = await compileRules(list);
    return {
      name: "rules",
      names: list.flatMap((rule, index) =>
        toolNames(rule).map((pattern) => ({ option: `rules[${index}]`, pattern })),
      ),
      nextCall: (hop, { context, next }) =>
        askRules(compiled, {
          hop,
          context,
          askServer: next,
          onSkipped(skipped) {
            const { runId, callId, server, tool } = hop;
            const about = { atMs: now(), runId, callId, tool: `${server}.${tool}` };
            emit({ type: "rule-skipped", ...about, ...skipped });
          },
        }),
      reaches: compiled.mayReach,
    };
  };
}

function toolNames(rule: Rule): readonly string[] {
  if (isReach(rule)) return [rule.after, rule.reaches];
  const { after, next } = rule;
  return next !== false && typeof next !== "function" ? [after, next.tool] : [after];
}
