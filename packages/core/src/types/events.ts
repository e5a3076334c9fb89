import type { ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd } from "../result/chain-result.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { HostProblem } from "./tool.ts";
import type { ArgumentSource } from "./tool-call.ts";

/** The stages of a call, in order. */
export type Stage = "resolve" | "allow" | "arguments" | "authorize" | "call" | "result" | "record";

/** When, and in which run. @inline */
interface Situated {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Ties all calls of one chain or pipe together. */
  readonly runId: string;
}

/**
 * What the host reports, for audit and billing. Events name tools, ids and outcomes; they never hold
 * arguments, results or the texts of errors, so a log of them holds no secrets.
 */
export type HostReport =
  /** One stage of one call. `record` comes once for each call that was answered, and for no other. */
  | (Situated & {
      readonly type: "call";
      readonly stage: Stage;
      readonly outcome: "ok" | "refused" | "failed";
      readonly callId: string;
      readonly tool: string;
      readonly origin: CallOrigin;
      /** From the start of the call to this stage. */
      readonly elapsedMs: number;
      readonly code?: ToolrailErrorCode;
      /** The person who approved the call changed its arguments. */
      readonly changed?: true;
      /** On `authorize`: which arguments came from where, where that is known. */
      readonly sources?: readonly Omit<ArgumentSource, "from">[];
      /** On `record`: the server said `isError`. */
      readonly isError?: boolean;
      /** On `call`, the last of its events: another worker, or an earlier use of the same approval, made the call and recorded it; this one got its result. */
      readonly madeBefore?: boolean;
    })
  /** A run of `host.run`, `host.stream` or `host.resume` begins. */
  | (Situated & { readonly type: "chain-started"; readonly origin: CallOrigin })
  /** Such a run ends, after so many hops. */
  | (Situated & {
      readonly type: "chain-ended";
      readonly ended: ChainEnd;
      readonly hops: number;
      readonly code?: ToolrailErrorCode;
    })
  /** The rule `rule` stands after the tool of the call `callId`, and did not apply to its result. `reason` says why. */
  | (Situated & {
      readonly type: "rule-skipped";
      readonly callId: string;
      readonly rule: string;
      readonly tool: string;
      readonly reason: string;
    })
  /** The result of the call `callId` asks for a call of `tool`, which is not made: a step of a pipe makes one call. */
  | (Situated & { readonly type: "not-followed"; readonly callId: string; readonly tool: string })
  /** The call of a guarded query: `runId` is the id of the query. */
  | (Situated & { readonly type: "guard"; readonly stage: "started" })
  /** What came of that call: see `GuardOutcome`. */
  | (Situated & {
      readonly type: "guard";
      readonly stage: "ended";
      readonly verdict: "allow" | "ask" | "block";
      readonly code: string;
    })
  /** A pipe as a whole. It costs nothing itself: bill the calls whose `record` bears its `runId`. */
  | (Situated & {
      readonly type: "pipe";
      readonly stage: "started" | "ended";
      readonly author: "application" | "model";
      /** Steps of the spec; 0 where it was refused. */
      readonly steps: number;
      /** Calls that were answered so far. */
      readonly calls: number;
      readonly toolCallId?: string;
      readonly ok?: boolean;
      readonly elapsedMs?: number;
      readonly code?: ToolrailErrorCode;
    })
  /** A long result went to a model whole: its call has no `conversation`, or the store of the host failed. */
  | { readonly type: "warning"; readonly atMs: number; readonly code: "not-kept" }
  /** What a result says to the user alone is lost: give the tools `onHop` or `onResult`, or the host `onHop`. */
  | { readonly type: "warning"; readonly atMs: number; readonly code: "nobody-listens" }
  /** One step of a pipe. */
  | (Situated & {
      readonly type: "step";
      readonly stage: "started" | "ended";
      readonly path: string;
      readonly kind: "tool" | "parallel" | "pipe" | "for_each";
      readonly ok?: boolean;
      readonly elapsedMs?: number;
      /** The calls of a tool step that were answered, in order. */
      readonly callIds?: readonly string[];
    })
  /** A run of the AI SDK may ask a person, and has no `experimental_toolApprovalSecret`: see `@toolrail/ai-sdk`. */
  | { readonly type: "warning"; readonly atMs: number; readonly code: "no-approval-secret" }
  /** A call of a model ran on an approval that the AI SDK has not signed: see `@toolrail/ai-sdk`. */
  | { readonly type: "warning"; readonly atMs: number; readonly code: "unsigned-approval" }
  /**
   * A server that was given as a function was connected, or its connection was lost; or a server asks for a sign-in: finish
   * it with the server's client, and call `host.refresh(server)`.
   */
  | {
      readonly type: "server";
      readonly atMs: number;
      readonly server: string;
      readonly state: "connected" | "lost" | "needs-sign-in";
    }
  /**
   * The default store was full, and a value that still held went, such as a hop that waits. `conversation` is whose it was, empty
   * where none was given: see `limits.maxStoreBytes` and `limits.maxConversationBytes`.
   */
  | { readonly type: "store-full"; readonly atMs: number; readonly conversation: string }
  /** The tools of a server were read again, and are not the same. */
  | { readonly type: "tools-changed"; readonly atMs: number; readonly server: string }
  /** Something is wrong with a server, a tool or a name in the options: see `host.problems`. */
  | {
      readonly type: "problem";
      readonly atMs: number;
      readonly problem: Pick<HostProblem, "server" | "tool" | "code"> &
        Partial<Pick<HostProblem, "message">>;
    };

/** An event with a sentence about it. */
export type HostEvent = HostReport & {
  /** A plain sentence that says what happened, and what to do about a problem. */
  readonly message: string;
};
