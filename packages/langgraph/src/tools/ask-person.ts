import { interrupt, isGraphBubbleUp } from "@langchain/langgraph";
import type { Decision, Host, PendingCall } from "@toolrail/core";
import { modelNameOf } from "@toolrail/core/adapter";
import { approvalText, questionId } from "@toolrail/core/internal";
import { canonicalJson, isJsonObject, sha256 } from "@toolrail/json";
import { dropOthersAnswer, forgetAnswer } from "../langgraph-internals.ts";

/** The interrupt of a run that waits for an approval, in the form of LangChain's `humanInTheLoopMiddleware`. */
export interface ApprovalRequest {
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly description: string;
  }[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly ("approve" | "edit" | "reject")[];
  }[];
  /** The policy's reason to ask a person, in plain words and as in the description. Absent if there is none. */
  readonly reason?: string;
  /** The SHA-256 of the call that waits: its tool, its arguments, and its origin. */
  readonly call: string;
}

/**
 * The value that resumes an `ApprovalRequest`: `new Command({ resume: { decisions: [{ type: "approve" }] } })`. An
 * edit approves the call with other arguments, of the same tool. The host checks them in full, and asks the person
 * again if they are not valid.
 */
export interface ApprovalResponse {
  readonly decisions: readonly (
    | { readonly type: "approve" }
    | {
        readonly type: "edit";
        readonly editedAction: {
          /** The name of the call in the request. Default: the same. Another name denies the call. */
          readonly name?: string;
          readonly args: Readonly<Record<string, unknown>>;
        };
      }
    | { readonly type: "reject"; readonly message?: string }
  )[];
}

/**
 * Waits with an interrupt for a person's decision on a call. Returns `undefined` if no call waits, or if the graph has
 * no checkpointer. Only an answer to this very call counts.
 * If an answer was given while another call or several calls waited, this call waits again.
 */
export async function askAbout(
  host: Host,
  pending: PendingCall | undefined,
): Promise<Decision | undefined> {
  if (!pending) return undefined;
  const name = modelNameOf(pending, host.tools);
  const request = toRequest(name, pending);
  const binding = questionId(pending.binding) ?? "";
  const call = await sha256(canonicalJson({ ...pending, binding }));
  const giveBack = await dropOthersAnswer(call);
  try {
    const answer: unknown = interrupt({ ...request, call });
    giveBack(); // It was the answer to an earlier request of this task.
    return toDecision(answer, name);
  } catch (error) {
    if (!isGraphBubbleUp(error)) return undefined;
    await forgetAnswer();
    throw error;
  }
}

/** Asks as `askAbout` does, and denies the call if the graph has no checkpointer to wait with. */
export async function askOrDeny(host: Host, pending: PendingCall | undefined): Promise<Decision> {
  const nobody =
    "it needs a person's approval, and nobody can be asked: this graph has no checkpointer";
  const { reason } = pending ?? {};
  const deny = reason === undefined ? nobody : `${reason}, and ${nobody}`;
  return (await askAbout(host, pending)) ?? { deny };
}

function toRequest(name: string, pending: PendingCall): Omit<ApprovalRequest, "call"> {
  const description = approvalText(pending);
  return {
    actionRequests: [{ name, args: { ...pending.arguments }, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "edit", "reject"] }],
    ...(pending.reason !== undefined && { reason: pending.reason }),
  };
}

function toDecision(response: unknown, name: string): Decision {
  const { decisions } = (response ?? {}) as Partial<ApprovalResponse>;
  const [decision, ...more] = Array.isArray(decisions) ? decisions : [];
  if (decision?.type === "approve" && more.length === 0) return "approve";
  if (decision?.type === "edit" && more.length === 0) return toChange(decision.editedAction, name);
  if (decision?.type === "reject") return { deny: decision.message ?? "a person rejected it" };
  return { deny: 'the answer was not { decisions: [{ type: "approve" }] }' };
}

/** An edit may not name another tool, since the approval is for this one. */
function toChange(edited: unknown, name: string): Decision {
  const { name: named = name, args } = isJsonObject(edited) ? edited : {};
  if (named !== name) return { deny: `the edit names a tool other than ${name}` };
  return isJsonObject(args)
    ? { approve: { arguments: args } }
    : { deny: "the edit has no arguments: its editedAction is not { name, args }" };
}
