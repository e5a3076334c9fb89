import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Decision, Host } from "@toolrail/core";
import { approvalText, modelNameOf, throwAborted } from "@toolrail/core/adapter";
import type {
  createSingleStep,
  GuardedCallOptions,
  GuardedQuery,
  GuardOutcome,
  QueryState,
} from "@toolrail/core/guard";
import { type Answer, askPerson } from "../tools/ask-person.ts";

interface Finishing {
  readonly host: Host;
  readonly guard: ReturnType<typeof createSingleStep>;
  readonly query: GuardedQuery;
  readonly options: GuardedCallOptions;
  readonly config: LangGraphRunnableConfig;
}

/** Returns the outcome of a guarded call, and its query. An interrupt asks a person if the call needs one. */
export async function finishCall(
  outcome: GuardOutcome,
  { host, guard, query, options, config }: Finishing,
): Promise<{ readonly outcome: GuardOutcome; readonly query: GuardedQuery }> {
  let [settled, current] = [outcome, query];
  while (settled.verdict === "ask") {
    const { pending } = settled;
    const { server, tool, arguments: args, reason } = pending;
    const name = modelNameOf(pending, host.tools);
    const asked = await current.toState();
    const description = approvalText(pending);
    const question = { id: query.id, name, args, description, reason, asked };
    const answers = await askPerson({
      questions: [question],
      config,
      async checkEdit(_, changes) {
        const request = { tool: { server, name: tool }, arguments: changes };
        const checked = await host.check(request, options);
        return checked.type === "refuse" ? checked.error.message : undefined;
      },
    });
    const answer = answers === "nobody" ? undefined : answers[query.id];
    // The person's answer is about the call as it was asked about, which may have changed since.
    if (answer) current = guard.startQuery(answer.asked as QueryState);
    settled = await current.resume(toDecision(answer, reason), options);
  }
  throwAborted(settled.code, options.signal);
  return { outcome: settled, query: current };
}

function toDecision(
  answer: Answer | undefined,
  reason: string | undefined,
): Exclude<Decision, { readonly input: unknown }> {
  if (answer?.type === "reject") return { deny: answer.message };
  if (answer) return answer.changes ? { approve: { arguments: answer.changes } } : "approve";
  return { deny: `${reason === undefined ? "" : `${reason}, and `}${NOBODY}` };
}

const NOBODY =
  "it needs a person's approval, and nobody can be asked: this graph has no checkpointer";
