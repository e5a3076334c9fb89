import type { CallOrigin, Hop } from "../result/hop.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { Answer, Approval, CallOptions, CallRequest, Reply } from "../types/call-options.ts";
import type { HostReport, Stage } from "../types/events.ts";
import type { Limits } from "../types/limits.ts";
import type { McpPort } from "../types/port.ts";
import type { HostServices, OnceRule } from "../types/services.ts";
import type { ClaimingStore, Store } from "../types/store.ts";
import { type Tool, type ToolName, toolText } from "../types/tool.ts";
import type { Policy, ReceivedInput, ToolCall } from "../types/tool-call.ts";
import type { Hooks } from "./hooks.ts";
import type { ValueParts } from "./value-checks.ts";

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The state of one call on its way through the stages. Each stage fills in its results. */
export interface Passage {
  readonly host: HostParts;
  /** Reports the stages. Absent if there is no listener, or if the call is only checked. */
  readonly emit: HostParts["emit"];
  readonly request: CallRequest;
  readonly options: CallOptions;
  readonly startMs: number;
  /** The call so far. It has its tool after the stage "find". */
  readonly call: Writable<ToolCall>;
  /** The name of the tool in events and errors. */
  name: string;
  /** The current stage, by its name in events. */
  stage: Stage;
  /** True once the stages before the call have let it pass: then errors may hold words of its server. */
  isAdmitted: boolean;
  /** The binding of an earlier approval, if a person has given one. */
  approved: Pick<CallOptions, "approved" | "lostAttempts">;
  approval: Approval | undefined;
  /** The reason why a person has to be asked, or `true` without a reason. */
  asks: string | true | undefined;
  reply: Reply | undefined;
  /** The name of the call for its server and for other workers, if it is made once. */
  idempotencyKey: string | undefined;
  answer: Answer | undefined;
  output: Hop["output"] | undefined;
  hop: Hop | undefined;
}

/** A step of a call: it fills in the passage, or refuses the call by throwing. */
export interface Step {
  run(passage: Passage): void | PromiseLike<void>;
  readonly stage?: Stage;
  /** The members of plugins that this step serves: without them it is left out. Default: the step is never left out. */
  readonly for?: readonly (keyof Hooks)[];
}

export interface Sending {
  readonly passage: Passage;
  readonly call: ToolCall;
  /** Runs right before the request goes out. It throws if the call may no longer be made. */
  readonly onSend?: (() => void) | undefined;
}

export type Send = (sending: Sending) => Promise<unknown>;

/** The stages that a host uses: see `STAGES`. */
export interface Stages {
  readonly check: readonly Step[];
  readonly begin: readonly Step[];
  readonly send: Send;
  readonly finish: readonly Step[];
}

export interface HostParts extends ValueParts {
  readonly hooks: Hooks;
  readonly stages: Stages;
  readonly services: Partial<HostServices>;
  /** The rules of the operator and of plugins, in order. */
  readonly policies: readonly Policy[];
  /** True if a person decides about destructive tools, because the operator has set no rule about approvals. */
  readonly asksIfDestructive: boolean;
  readonly limits: Limits;
  /** Keeps input requests that wait for an answer. */
  readonly store: Store;
  /** The rule by which calls are made once. Absent if no plugin sets one. */
  readonly once: OnceRule | undefined;
  /** Claims approvals, so that each is used once. If the store of the host has no `claim`, this holds within this process. */
  readonly approvalStore: ClaimingStore;
  /** The names of the servers whose invalid output a model reads: see `invalidOutput` of a server. */
  readonly showsInvalid: ReadonlySet<string>;
  readonly userOf: (context: unknown) => string | undefined;
  /** Answers an input request of a server in this process. */
  readonly onInputRequest:
    | ((request: ReceivedInput) => InputResponse | PromiseLike<InputResponse>)
    | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: ((event: HostReport) => void) | undefined;
  /** Throws if there is no such tool, or if it may not be called. */
  find(tool: ToolName): Tool;
  /** Connects the servers that this tool needs, and never rejects. Returns `undefined` if all are connected. */
  wake(tool: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined;
  /** Reads a server's announced change of its tools. Returns `undefined` if there is none. */
  settle(server: string): Promise<void> | undefined;
  /** Notes that the tools of all servers have changed. */
  announce(): void;
  refresh(server: string): Promise<void>;
  port(server: string): Pick<McpPort, "call" | "mayAsk">;
}

export function beginPassage(
  host: HostParts,
  { request, options, emit }: Pick<Passage, "request" | "options" | "emit">,
  callId = host.newId(),
): Passage {
  const { runId = callId, origin = APPLICATION } = options;
  const { signal, conversation, context, changedFrom } = options;
  const { tool, arguments: args = {} } = request;
  const changed = changedFrom && { changedFrom };
  return {
    host,
    emit,
    request,
    options,
    startMs: host.now(),
    call: {
      ...{ callId, runId, tool: UNKNOWN, arguments: args, origin, signal, conversation, context },
      ...changed,
    },
    name: toolText(tool),
    stage: "resolve",
    isAdmitted: false,
    approved: options,
    approval: undefined,
    asks: undefined,
    reply: undefined,
    idempotencyKey: undefined,
    answer: undefined,
    output: undefined,
    hop: undefined,
  };
}

const APPLICATION: CallOrigin = { by: "application" };
/** The tool of a call until it is found. */
const UNKNOWN: Tool = {
  server: "",
  name: "",
  id: "",
  modelName: "",
  inputSchema: {},
  forModel: false,
};

/** Enters a stage, and reports that the call has passed the one before it. */
export function enter(passage: Passage, stage: Stage): void {
  if (passage.emit) report(passage, "ok");
  passage.stage = stage;
}

export function report(
  { host, emit, call, name, startMs, stage }: Passage,
  outcome: "ok" | "refused" | "failed",
  extra?: object,
): void {
  if (!emit) return;
  const atMs = host.now();
  const { callId, runId, origin, changedFrom } = call;
  const situation = { callId, runId, tool: name, origin, atMs, elapsedMs: atMs - startMs };
  const changed = changedFrom && ({ changed: true } as const);
  emit({ type: "call", stage, outcome, ...situation, ...changed, ...extra });
}
