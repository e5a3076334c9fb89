/** The operator's rules for which call follows which result. @module */

export type { CallRule, ReachRule, Rule, RuleView } from "./rule.ts";
export { rules } from "./rules.ts";
