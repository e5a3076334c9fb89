import { invalidOptions, type ToolrailErrorCode } from "../errors.ts";
import type { CallOrigin, ChainEnd } from "../result/hop.ts";
import type { HostProblem } from "./tool.ts";

/** The stages of a call, in order. */
export type Stage = "resolve" | "allow" | "arguments" | "authorize" | "call" | "result" | "record";

/** The time and the run of an event. @inline */
interface Situated {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** The id that all calls of one chain or pipe share. */
  readonly runId: string;
}

/** What all warnings have. @inline */
interface Warning {
  readonly type: "warning";
  readonly atMs: number;
}

/**
 * A report of the host, for audit and billing. Reports name tools, ids and outcomes. They never hold arguments, results or
 * error texts, so a log of them holds no secrets.
 */
export type HostReport =
  /** One stage of one call. There is one `record` for each call that was answered, and none for other calls. */
  | (Situated & {
      readonly type: "call";
      readonly stage: Stage;
      readonly outcome: "ok" | "refused" | "failed";
      readonly callId: string;
      readonly tool: string;
      readonly origin: CallOrigin;
      /** The time in milliseconds from the start of the call to this stage. */
      readonly elapsedMs: number;
      readonly code?: ToolrailErrorCode;
      /** Present if the person who approved the call changed its arguments. */
      readonly changed?: true;
      /** True if the server reported an error (`isError`). Set on `record` alone. */
      readonly isError?: boolean;
      /**
       * True if another worker, or an earlier use of the same approval, made and recorded the call, and this one got its
       * result. Set on `call`, which is then its last event.
       */
      readonly madeBefore?: boolean;
    })
  /** A run of `host.run` or `host.resume` began. */
  | (Situated & { readonly type: "chain-started"; readonly origin: CallOrigin })
  /** Such a run ended. `hops` is the number of its finished calls. */
  | (Situated & {
      readonly type: "chain-ended";
      readonly ended: ChainEnd;
      readonly hops: number;
      readonly code?: ToolrailErrorCode;
    })
  /** The result of the call `callId` asks for a call of `tool`. It is not made, since a step of a pipe makes one call. */
  | (Situated & { readonly type: "not-followed"; readonly callId: string; readonly tool: string })
  /** A guarded query began its call. `runId` is the id of the query. */
  | (Situated & { readonly type: "guard"; readonly stage: "started" })
  /** A guarded query ended, or refused a further call (`step-used`): see `GuardOutcome`. */
  | (Situated & {
      readonly type: "guard";
      readonly stage: "ended";
      readonly verdict: "allow" | "ask" | "block";
      readonly code: string;
    })
  /** A call of `mcp_pipe` began or ended. It costs nothing itself: bill the calls whose `record` has the same `runId`. */
  | (Situated & {
      readonly type: "pipe";
      readonly tool: "mcp_pipe";
      readonly baseCost: 0;
      readonly stage: "started" | "ended";
      readonly author: "application" | "model";
      /** The number of steps of the spec. It is 0 if the spec was refused. */
      readonly steps: number;
      /** The number of calls that were answered so far. */
      readonly calls: number;
      readonly toolCallId?: string;
      readonly ok?: boolean;
      readonly elapsedMs?: number;
      readonly code?: ToolrailErrorCode;
    })
  /** A model got a long result in full, since its call has no `conversation` or the host's store failed. */
  | (Warning & { readonly code: "not-kept" })
  /** Content for the user alone is lost: no listener shows it. Give the tools `onHop` or `onResult`, or the host `onHop`. */
  | (Warning & { readonly code: "nobody-listens" })
  /** A listener threw an error or rejected, which stops nothing: the call was made. It is reported once for each listener. */
  | (Warning & {
      readonly code: "listener-failed";
      /** The name of the listener: `onHop`, or `onHop of the plugin "mine"`. */
      readonly listener: string;
      /** What it threw. The member is not enumerable, so that no copy and no JSON of the event holds it. */
      readonly cause: unknown;
    })
  /** A step of a pipe began or ended. */
  | (Situated & {
      readonly type: "step";
      readonly stage: "started" | "ended";
      readonly path: string;
      readonly kind: "tool" | "parallel" | "pipe";
      readonly ok?: boolean;
      readonly elapsedMs?: number;
      /** The ids of the answered calls of a tool step, in order. */
      readonly callIds?: readonly string[];
    })
  /** A run of the AI SDK may ask a person, but has no `experimental_toolApprovalSecret`: see `@toolrail/ai-sdk`. */
  | (Warning & { readonly code: "no-approval-secret" })
  /**
   * The list of a guard is missing or invalid, or names a tool that is not offered: see `createSingleStep` of
   * `@toolrail/core/guard`. `about` has the first tools that are left out, each with the reason.
   */
  | (Warning & { readonly code: "guard-offers-less"; readonly about: string })
  /** Tools are destructive in the words of their servers, and no option decides about them. `about` is `6 of 25 tools (shop.pay, …)`. */
  | (Warning & { readonly code: "asks-by-default"; readonly about: string })
  /** A call that needs a person was not made, since nothing there can wait for one. `about` says why, and what to do. */
  | (Warning & { readonly code: "cannot-wait"; readonly about: string })
  /** An agent with a middleware of `@toolrail/langgraph` has no tool of its host: write `tools: createTools(host)`. */
  | (Warning & { readonly code: "no-host-tools" })
  /** A model's call was made on an approval that the AI SDK has not signed: see `@toolrail/ai-sdk`. */
  | (Warning & { readonly code: "unsigned-approval" })
  /**
   * The connection of a server that was given as a function was opened or lost, or a server asks for a sign-in. Finish the
   * sign-in with the server's client, then call `host.refresh(server)`.
   */
  | {
      readonly type: "server";
      readonly atMs: number;
      readonly server: string;
      readonly state: "connected" | "lost" | "needs-sign-in";
    }
  /** The default store was full and dropped a value that had not expired, such as a pending hop: see `limits.maxStoreBytes`. */
  | { readonly type: "store-full"; readonly atMs: number }
  /** The tools of a server changed. */
  | { readonly type: "tools-changed"; readonly atMs: number; readonly server: string }
  /** A server, a tool or a name in the options has a problem: see `host.problems`. */
  | {
      readonly type: "problem";
      readonly atMs: number;
      readonly problem: Pick<HostProblem, "server" | "tool" | "code"> &
        Partial<Pick<HostProblem, "message">>;
    };

export type WarningCode = Extract<HostReport, Warning>["code"];

/** An event, with a sentence that names what to do if there is something to do: for problems, warnings and a full store. */
export type HostEvent = HostReport & { readonly message?: string };

const WARNINGS: Readonly<Partial<Record<WarningCode, string>>> = {
  "not-kept":
    "A model was given a long result in full: pass a `conversation` with the call (in LangGraph a `thread_id`), or check the store.",
  "nobody-listens":
    "Content of a result for the user alone was lost, since nothing shows it: set `onHop` in a plugin (`use: [{ name, onHop }]`) or of the tools, or `onResult` of the tools.",
  "no-approval-secret":
    "A run of the AI SDK may ask a person, and its approvals are not signed: set `experimental_toolApprovalSecret` among the settings of `withChaining`.",
  "no-host-tools":
    "An agent with `chainMiddleware` or `singleStepMiddleware` has no tool of its host: write `tools: createTools(host)`, with the same host.",
  "unsigned-approval":
    "A call was made on an approval that is not signed: set `experimental_toolApprovalSecret`.",
};

/** Returns the sentence of an event that asks for something. The text holds no arguments and no results. */
export function eventText(event: HostReport): string | undefined {
  switch (event.type) {
    case "warning":
      if (event.code === "listener-failed")
        return `The listener ${event.listener} threw an error, which stops nothing, since the call was made: catch the errors in it.`;
      if (event.code === "guard-offers-less")
        return `A guard offers less than \`allow\` names: ${event.about}`;
      if (event.code === "asks-by-default")
        return `A person decides before a model calls ${event.about}, which their servers call destructive: let some run with \`authorize\`, as in ({ tool }) => (tool.id === "server.tool" ? "allow" : "ask"), or keep it so with \`requireApproval: []\`.`;
      if (event.code === "cannot-wait")
        return `A call that needs a person was not made: ${event.about}`;
      return WARNINGS[event.code] ?? event.code;
    case "store-full":
      return "The default store was full and dropped a value that was still needed: raise `limits.maxStoreBytes`, or pass a `store`.";
    case "problem": {
      const { server, tool, code, message } = event.problem;
      const what = tool === undefined ? `server "${server}"` : `tool ${server}.${tool}`;
      return message ?? `There is a problem with the ${what} (${code}): see host.problems.`;
    }
    default:
      return undefined;
  }
}

const LONGEST_MS = 300_000;

/** Reports, once for each name, that a listener has thrown an error. */
export interface Warns {
  warn(code: "listener-failed", listener: string, cause: unknown): void;
}

/**
 * Calls a listener, given by its name as in `{ onHop }`, with an event, and waits for it, for five minutes at most. Its
 * error becomes one warning: the call was made, and must not look failed, since a model would repeat it.
 */
export async function notify<Event>(
  listeners: { readonly [name: string]: ((event: Event) => unknown) | undefined },
  event: Event,
  voice: Warns,
): Promise<void> {
  if (typeof voice?.warn !== "function")
    throw invalidOptions("notify takes listeners by name, an event, and the engine of a host.");
  for (const [name, listener] of Object.entries(listeners)) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const handled = listener?.(event);
      if (handled === undefined) continue;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LONGEST_MS);
      });
      await Promise.race([handled, late]);
    } catch (cause) {
      voice.warn("listener-failed", name, cause);
    } finally {
      clearTimeout(timer);
    }
  }
}
