import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { Answer, Approval, CallOptions, CallRequest, Reply } from "../types/call-options.ts";
import type { HostReport, Stage } from "../types/events.ts";
import type { Limits } from "../types/limits.ts";
import type { OnceRule } from "../types/plugin.ts";
import type { McpPort } from "../types/port.ts";
import type { HostServices } from "../types/services.ts";
import type { ClaimingStore, Store } from "../types/store.ts";
import { type Tool, type ToolName, type ToolRef, toolText } from "../types/tool.ts";
import type { Policy, ReceivedInput, ToolCall } from "../types/tool-call.ts";
import { placesOf } from "./argument-source.ts";
import type { Hooks } from "./hooks.ts";
import type { ValueParts } from "./value-checks.ts";

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** One call on its way through the stages. Each stage fills in what it finds out. */
export interface Passage {
  readonly host: HostParts;
  /** Reports the stages. Absent if nobody listens, or if the call is only checked. */
  readonly emit: HostParts["emit"];
  readonly request: CallRequest;
  readonly options: CallOptions;
  readonly startMs: number;
  /** The call as it is known by now: its tool is there after the stage "find". */
  readonly call: Writable<ToolCall>;
  /** The tool as events and errors name it. */
  name: string;
  /** The stage that the call is in, as events name it. */
  stage: Stage;
  /** True once the stages before the call have let it pass: then errors may hold words of its server. */
  isAdmitted: boolean;
  /** What a person has approved before: the binding of their approval. */
  approved: Pick<CallOptions, "approved" | "lostAttempts">;
  approval: Approval | undefined;
  /** Why a person has to be asked; `true` without a reason. */
  asks: string | true | undefined;
  /** Answers to a question of the server. */
  reply: Reply | undefined;
  /** Names the call to its server and to other workers, if it is made once. */
  idempotencyKey: string | undefined;
  /** The answer, the verdict on its output, and the record of the call. */
  answer: Answer | undefined;
  output: Hop["output"] | undefined;
  hop: Hop | undefined;
}

/** A step of a call: it fills in the passage, or refuses the call by throwing. */
export interface Step {
  run(passage: Passage): void | PromiseLike<void>;
  /** The stage that begins here, as events name it. */
  readonly stage?: Stage;
  /** The members of plugins without which there is nothing to do here. Default: every host has it. */
  readonly for?: readonly (keyof Hooks)[];
}

/** A call that goes out. */
export interface Sending {
  readonly passage: Passage;
  readonly call: ToolCall;
  /** Called right before the request goes out. It throws if the call may no longer be made. */
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

/** What the stages of a call need of its host. */
export interface HostParts extends ValueParts {
  /** What plugins do, by stage. */
  readonly hooks: Hooks;
  /** The stages that the host uses. */
  readonly stages: Stages;
  /** What plugins give to each other. */
  readonly services: Partial<HostServices>;
  /** The rules of the operator and of plugins, in order. */
  readonly policies: readonly Policy[];
  /** True if a person decides about destructive tools, since the operator has said nothing of approvals. */
  readonly asksIfDestructive: boolean;
  /** Says why a call of this tool has to be approved: a name in the options that protects may mean it. */
  whyAsk(tool: ToolRef): string | undefined;
  /** Parsers of arguments. */
  readonly inputParsers: ReadonlyMap<string, StandardSchemaV1>;
  readonly limits: Limits;
  /** Keeps questions that wait for an answer. */
  readonly store: Store;
  /** Makes calls once by their keys. Absent if no plugin wants it. */
  readonly once: OnceRule | undefined;
  /** Spends approvals: the store of the host, and without `claim` in it at least once in this process. */
  readonly spends: ClaimingStore;
  /** Names of the servers whose invalid output a model reads: see `invalidOutput` of a server. */
  readonly showsInvalid: ReadonlySet<string>;
  /** The user whom a context stands for. */
  readonly approver: ((context: unknown) => string | undefined) | undefined;
  /** Fills in a form of a server in this process. */
  readonly onInputRequest:
    | ((request: ReceivedInput) => InputResponse | PromiseLike<InputResponse>)
    | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: ((event: HostReport) => void) | undefined;
  /** Throws if there is no such tool, or if it may not be called. */
  find(tool: ToolName): Tool;
  /** Connects what this tool needs, and never rejects; `undefined` if all is there. */
  wake(tool: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined;
  /** Reads what a server has announced of its tools; `undefined` if there is no news. */
  settle(server: string): Promise<void> | undefined;
  /** Takes it that the tools of all servers have changed. */
  announce(): void;
  /** Reads the list of a server again. */
  refresh(server: string): Promise<void>;
  port(server: string): Pick<McpPort, "call" | "mayAsk">;
}

/** Begins the way of a call. */
export function beginPassage(
  host: HostParts,
  { request, options, emit }: Pick<Passage, "request" | "options" | "emit">,
  checked?: ToolCall,
): Passage {
  const callId = checked?.callId ?? host.newId();
  const { runId = checked?.runId ?? callId, origin = checked?.origin ?? APPLICATION } = options;
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
/** Stands for the tool until it is found. */
const UNKNOWN: Tool = {
  server: "",
  name: "",
  id: "",
  modelName: "",
  inputSchema: {},
  forModel: false,
};

/** Enters a stage, and reports that the one before it let the call pass. */
export function enter(passage: Passage, stage: Stage): void {
  if (passage.emit) report(passage, "ok");
  passage.stage = stage;
}

/** Reports the outcome of the stage that a call is in. */
export function report(
  { host, emit, call, name, startMs, stage }: Passage,
  outcome: "ok" | "refused" | "failed",
  extra?: object,
): void {
  if (!emit) return;
  const atMs = host.now();
  const { callId, runId, origin, sources, changedFrom } = call;
  const situation = { callId, runId, tool: name, origin, atMs, elapsedMs: atMs - startMs };
  const from = stage === "authorize" && sources && { sources: placesOf(sources) };
  const changed = changedFrom && ({ changed: true } as const);
  emit({ type: "call", stage, outcome, ...situation, ...changed, ...from, ...extra });
}
