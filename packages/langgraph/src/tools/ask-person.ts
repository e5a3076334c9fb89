import { interrupt, isGraphBubbleUp } from "@langchain/langgraph";
import type { Decision, Host, InputRequest, InputResponses, PendingCall } from "@toolrail/core";
import { modelNameOf } from "@toolrail/core/adapter";
import { approvalText } from "@toolrail/core/internal";
import { canonicalJson, isJsonObject, sha256 } from "@toolrail/json";
import { dropOthersAnswer, forgetAnswer } from "../langgraph-internals.ts";

/** What a run waits with, in the form of LangChain's `humanInTheLoopMiddleware`. */
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
  /** Why a person is asked, in plain words, where a policy said so; the description says it too. */
  readonly reason?: string;
  /** SHA-256 of the call that waits: its tool, its arguments, and who asked for it. */
  readonly call: string;
}

/**
 * What resumes it: `new Command({ resume: { decisions: [{ type: "approve" }] } })`. An edit approves the call with other
 * arguments, of the same tool: they are checked in full, and where they do not fit, the person is asked again.
 */
export interface ApprovalResponse {
  readonly decisions: readonly (
    | { readonly type: "approve" }
    | {
        readonly type: "edit";
        readonly editedAction: {
          /** That of the call, as it was shown. */
          readonly name?: string;
          readonly args: Readonly<Record<string, unknown>>;
        };
      }
    | { readonly type: "reject"; readonly message?: string }
  )[];
}

/** What a run waits with where a server asks the user something. */
export interface InputRequired extends Pick<InputRequest, "requests" | "problem"> {
  readonly type: "input";
  readonly server: string;
  readonly tool: string;
  /** SHA-256 of the question and the call that waits for it. */
  readonly call: string;
}

/** What resumes it: `new Command({ resume: { input: { [key]: { action: "accept", content } } } })`. */
export interface InputResponse {
  readonly input: InputResponses;
}

/**
 * Waits with an interrupt for a person's word on a call, or for their answers to what its server asks. `undefined` where
 * no call waits, and where the graph has no checkpointer to wait with. Only an answer to this very call counts: one that
 * was given while another call waited, or several, leaves this one waiting.
 */
export async function askAbout(
  host: Host,
  pending: PendingCall | undefined,
): Promise<Decision | undefined> {
  if (!pending) return undefined;
  const name = modelNameOf(pending, host.tools);
  const { inputRequest } = pending;
  const request = inputRequest ? toForms(pending, inputRequest) : toRequest(name, pending);
  const call = await sha256(canonicalJson(pending));
  const giveBack = await dropOthersAnswer(call);
  try {
    const answer: unknown = interrupt({ ...request, call });
    giveBack(); // It had been given an answer before.
    return inputRequest ? toAnswers(answer) : toDecision(answer, name);
  } catch (error) {
    if (!isGraphBubbleUp(error)) return undefined;
    await forgetAnswer();
    throw error;
  }
}

function toForms(
  { server, tool }: PendingCall,
  { id: _, ...asked }: InputRequest,
): Omit<InputRequired, "call"> {
  return { type: "input", server, tool, ...asked };
}

/** The host checks them. */
function toAnswers(answer: unknown): Decision {
  return isJsonObject(answer) && isJsonObject(answer.input)
    ? { input: answer.input as InputResponses }
    : { deny: "the answer was not { input: answers }" };
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

/** The tool stays what it was: an edit that names another is no approval of anything. */
function toChange(edited: unknown, name: string): Decision {
  const { name: named = name, args } = isJsonObject(edited) ? edited : {};
  if (named !== name) return { deny: `the edit names another tool than ${name}` };
  return isJsonObject(args)
    ? { approve: { arguments: args } }
    : { deny: "the edit has no arguments: its editedAction is not { name, args }" };
}
