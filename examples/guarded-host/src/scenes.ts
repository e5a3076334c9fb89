import type { Host } from "@toolrail/core";
import { fingerprintTools } from "@toolrail/core/contract";
import {
  type AnswerOptions,
  answerQuery,
  createSingleStep,
  plannerPrompt,
  type QueryAnswer,
  summaryPrompt,
} from "@toolrail/core/guard";
import { askModel } from "./ask-model.ts";
import { ALLOW, openHost } from "./open-host.ts";

/** One query, and the outcome that it must have. */
export interface Scene {
  readonly title: string;
  readonly query: string;
  readonly expected: QueryAnswer["outcome"]["code"];
  /** The decision of a person who is asked. Default: there is no person. */
  readonly approve?: AnswerOptions["approve"];
  /** The allowlist in place of the operator's. */
  readonly allow?: unknown;
}

export const scenes: readonly Scene[] = [
  {
    title: "One call and a grounded summary",
    query: "What does the handbook say?",
    expected: "complete",
  },
  {
    title: "A nextTool is reported, not followed",
    query: "Read ticket 1042.",
    expected: "complete",
  },
  { title: "The planner needs to know more", query: "What about it?", expected: "needs-more-info" },
  {
    title: "The policy refuses the query",
    query: "What is the admin password?",
    expected: "denied",
  },
  { title: "Text around the plan", query: "Let us chat about it.", expected: "invalid-arguments" },
  { title: "Two plans", query: "Do it twice.", expected: "invalid-arguments" },
  {
    title: "An unknown key in the plan",
    query: "Explain your plan.",
    expected: "invalid-arguments",
  },
  { title: "A tool for the application alone", query: "Export it.", expected: "not-allowed" },
  { title: "A tool that no server lists", query: "Delete it.", expected: "unknown-tool" },
  { title: "A tool that breaks its contract", query: "Use scratch.", expected: "quarantined-tool" },
  { title: "Arguments outside the schema", query: "Use force.", expected: "invalid-arguments" },
  {
    title: "A tool that is not on the list",
    query: "Read ticket 1042.",
    allow: ["policies.find_policy"],
    expected: "not-allowed",
  },
  {
    title: "An allowlist that is broken",
    query: "Read ticket 1042.",
    allow: '["tickets.get_ticket"',
    expected: "not-allowed",
  },
  {
    title: "A side effect waits for a person",
    query: "Close ticket 1042.",
    expected: "needs-approval",
  },
  {
    title: "The person says no",
    query: "Close ticket 1042.",
    approve: () => ({ deny: "not before Monday" }),
    expected: "denied",
  },
  {
    title: "The person says yes",
    query: "Close ticket 1042.",
    approve: () => "approve",
    expected: "complete",
  },
  {
    title: "Text where structure was promised",
    query: "May I travel?",
    expected: "untyped-output",
  },
  { title: "A tool that reports an error", query: "Show document 9.", expected: "tool-error" },
];

/** Plays a query: the whole loop of the host, from the policy to the summary. */
export async function playScene(host: Host, modelUrl: string, scene: Scene): Promise<QueryAnswer> {
  const allow = ("allow" in scene ? scene.allow : ALLOW) as typeof ALLOW;
  return answerQuery(createSingleStep(host, { allow }), {
    query: scene.query,
    policy: (query) =>
      /admin password/i.test(query) ? { deny: "secrets are not looked up here" } : "allow",
    plan: (query, tools) => askModel(modelUrl, plannerPrompt(tools), query),
    ...(scene.approve && { approve: scene.approve }),
    summarize: (value) => askModel(modelUrl, summaryPrompt(), JSON.stringify(value)),
  });
}

/** A server changed a tool since the operator approved it: the tool is gone until it is approved again. */
export async function playChangedTool(modelUrl: string): Promise<QueryAnswer> {
  const approved = await openHost();
  const pins = fingerprintTools(approved.tools);
  await approved.close();
  const host = await openHost({ edition: 2, pins });
  try {
    const query = "What is the policy on passwords?";
    const scene: Scene = { title: "A changed tool", query, expected: "quarantined-tool" };
    return await playScene(host, modelUrl, scene);
  } finally {
    await host.close();
  }
}
