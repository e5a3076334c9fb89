import { findTool } from "./find-tool.ts";
import { type Decision, decideBy, type Rule } from "./rule.ts";
import type { Turn } from "./turn.ts";

/**
 * The first decision the rules reach. A decision that calls a tool which the request does not offer
 * does not count: a model cannot call it either. Names come back as the request spells them.
 */
export function decide(rules: readonly Rule[], turn: Turn): Decision {
  for (const rule of rules) {
    const decision = toOffered(decideBy(rule, turn), turn);
    if (decision) return decision;
  }
  return { text: sayWhatItCanDo(rules) };
}

function toOffered(decision: Decision | undefined, { tools }: Turn): Decision | undefined {
  if (!decision || "text" in decision) return decision;
  const toolCalls = decision.toolCalls.flatMap((call) => {
    const tool = findTool(tools, call.name);
    return tool ? [{ ...call, name: tool.name }] : [];
  });
  const allOffered = toolCalls.length > 0 && toolCalls.length === decision.toolCalls.length;
  return allOffered ? { toolCalls } : undefined;
}

function sayWhatItCanDo(rules: readonly Rule[]): string {
  const abilities = rules.flatMap((rule) =>
    typeof rule === "object" && rule.can ? [`- ${rule.can}`] : [],
  );
  const opening = "I am a fake model that follows rules, and none of them fits this.";
  return abilities.length > 0 ? `${opening} I know these:\n${abilities.join("\n")}` : opening;
}
