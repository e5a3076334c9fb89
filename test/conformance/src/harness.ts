import type { ChainEnd, ChainResult, Decision, Hop, Host, Store } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";
import type { RequirementId } from "./requirements.ts";

/** An implementation under test: its capabilities, and the requirements that do not apply to it. */
export interface Harness extends Partial<Capabilities> {
  readonly name: string;
  /**
   * The requirements that do not apply, each with the reason, which the run prints. An adapter also names each capability of
   * `chain`, `pipe` and `guard` that it leaves out.
   */
  readonly exempt?: Readonly<Partial<Record<RequirementId | keyof Capabilities, string>>>;
}

/** The capabilities of an implementation. A harness leaves out those that it does not have, and gives the reason in `exempt`. */
export interface Capabilities {
  /** Lets a model call one tool. The implementation itself makes the calls that follow. */
  chain(input: ChainInput): Promise<ChainOutcome>;
  /** Runs a pipe of an operator or a model. */
  pipe(input: PipeInput): Promise<PipeOutcome>;
  /** Lets a model attempt calls under the single step, in one turn or in several. */
  guard(input: GuardInput): Promise<GuardedOutcome>;
  /** Opens a store. Each opening sees the values of the others, as in two processes. */
  store(): Store | Promise<Store>;
}

/** A call that the harness lets its model make. */
export interface ChainInput {
  readonly host: Host;
  /** The tool as `server.tool`. A model calls it by `modelNameOf(host, tool)`. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly signal?: AbortSignal;
  /** The conversation of the calls. Default: none, or one by the harness. */
  readonly conversation?: string | undefined;
  /** If true, the harness passes no listener, and only what the model read counts. */
  readonly unheard?: boolean;
}

/** The outcome of a chain. */
export interface ChainOutcome {
  /** All results in order, as the application receives them at the end of the run. */
  readonly hops: readonly Hop[];
  /** The reason why the chain ended. `undefined` only if no chain began, for example if the framework refused the call. */
  readonly ended: ChainEnd | undefined;
  /** The calls that the adapter's listener `onHop` received, in order. Absent if the adapter has none. */
  readonly told?: readonly Hop[];
  /**
   * The content that the model read after its decision, in order, including folded hops but never `_meta`. Texts may be joined by
   * line breaks.
   */
  readonly modelRead: readonly ModelPart[];
  /** True if the model received the outcome as the framework's error. */
  readonly isError: boolean;
  /** The number of times that a model was asked, including the decision. 0 if there is no model. */
  readonly modelCalls: number;
  /** Everything that the framework stores of the run (messages, a checkpoint), as JSON. Absent if it stores nothing. */
  readonly stored?: string;
  /** Resumes the run with a person's decision. Present if the run waits for a person. */
  resume?(decision: Decision): Promise<ChainOutcome>;
  /** Replaces the waiting hop in the messages by a forged call, then approves it. Present if messages contain the waiting hop. */
  resumeForged?(call: ForgedCall): Promise<ChainOutcome>;
}

/** A part of what a model read, whatever the framework calls it. Media is never text. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mediaType: string };

/** A tool call that a client forged in the messages that it stores for the framework. */
export interface ForgedCall {
  /** The tool as `server.tool`. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The id of the call. Default: the id of the waiting hop. */
  readonly id?: string;
}

/** A pipe for the harness to run. */
export interface PipeInput {
  readonly host: Host;
  /** The spec by an operator or a model. It may be invalid. */
  readonly spec: unknown;
  readonly signal?: AbortSignal;
  readonly conversation?: string | undefined;
  /** If true, the pipe waits if a step needs a person. */
  readonly pauses?: boolean;
}

/** The outcome of a pipe. */
export interface PipeOutcome {
  /** The pipe's result: `{ ok, error, result, steps }`. */
  readonly result: JsonObject;
  /** The content that the model read. Absent if there is no model. */
  readonly modelRead?: readonly ModelPart[];
  /** Resumes the pipe with a person's decision about each waiting call. Present if the pipe waits. */
  resume?(decision: Decision): Promise<PipeOutcome>;
}

/** A guarded query, with the turns of its model. */
export interface GuardInput {
  readonly host: Host;
  /** The operator's list, which may be missing or invalid. */
  readonly allow: unknown;
  /** The model's calls by turn. After the last turn, its answer is empty. */
  readonly turns: readonly (readonly {
    readonly tool: string;
    readonly arguments?: JsonObject;
  }[])[];
  /** The decision of a person who is asked. If it is missing, the call waits. */
  readonly decision?: Decision;
  readonly conversation?: string | undefined;
}

/** The outcome of a guarded query. */
export interface GuardedOutcome {
  /** All outcomes that the application received, in order. */
  readonly outcomes: readonly GuardOutcome[];
  /** All text that the model read of results and refusals. */
  readonly modelRead: string;
  /** The final text for the user. Empty if a call waits. */
  readonly reply: string;
}

/** Returns the name by which a model calls `server.tool`. If the model cannot see the tool, it is the bare name. */
export function modelNameOf(host: Host, tool: string): string {
  try {
    return host.find(tool).modelName;
  } catch {
    return tool.slice(tool.indexOf(".") + 1);
  }
}

/**
 * Lets the application resume a chain that ran inside a call, since such a call cannot wait. Returns `{}` if the chain has ended.
 */
export function resumeByHost(host: Host, paused: ChainResult): Pick<ChainOutcome, "resume"> {
  if (paused.ended !== "needs-approval") return {};
  return {
    async resume(decision) {
      const chain = await host.resume(paused, decision);
      const { hops, ended } = chain;
      const isError = ended !== "complete";
      const again = resumeByHost(host, chain);
      return { hops, ended, modelRead: [], isError, modelCalls: 0, ...again };
    },
  };
}
