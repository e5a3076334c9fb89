/** The operator's rules: the call that follows a result. @module */

export type { CallRule, ReachRule, Rule, RuleView } from "./rule.ts";
export { rules } from "./rules.ts";
