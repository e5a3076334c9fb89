import type { ChainEnd, Decision, Hop, Host, Store } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/guard";
import type { JsonObject } from "@toolrail/json";
import type { PipeFlow } from "@toolrail/pipe/flow";
import type { RequirementId } from "./requirements.ts";

/** What a person says of a call that waits for approval. */
type Approval = Exclude<Decision, { readonly input: unknown }>;

/** One implementation under test: the capabilities that it has, and what makes no sense for it. */
export interface Harness extends Partial<Capabilities> {
  readonly name: string;
  /** Requirements that cannot be expressed here, each with the reason, which the run prints. */
  readonly exempt?: Readonly<Partial<Record<RequirementId, string>>>;
}

/** What an implementation can do. A harness leaves out what it cannot. */
export interface Capabilities {
  /** A model calls one tool; what follows from the result is the implementation's own doing. */
  chain(input: ChainInput): Promise<ChainOutcome>;
  /** An operator or a model runs a pipe. */
  pipe(input: PipeInput): Promise<PipeOutcome>;
  /** A model attempts calls under the single step, several in one turn or one turn after another. */
  guard(input: GuardInput): Promise<GuardedOutcome>;
  /** Opens a store: what was kept by way of one opening is there in the next, as it is for two processes. */
  store(): Store | Promise<Store>;
}

/** A call that the harness has its model make. */
export interface ChainInput {
  readonly host: Host;
  /** `server.tool`; a model calls it by `modelNameOf(host, tool)`. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly signal?: AbortSignal;
  /** The conversation that the calls belong to. Default: none, or one of the harness's own. */
  readonly conversation?: string | undefined;
}

/** What came of a chain. */
export interface ChainOutcome {
  /** Every result obtained, in order, as the application gets them when the run is over. */
  readonly hops: readonly Hop[];
  /** `undefined` only where no chain began, as where the framework refused the call by itself. */
  readonly ended: ChainEnd | undefined;
  /** The calls that the listener `onHop` of the adapter was told of, in order. Left out where it has none. */
  readonly told?: readonly Hop[];
  /**
   * What the model read after its decision, in order; folded hops included, `_meta` never. Texts may
   * have been joined by lines.
   */
  readonly modelRead: readonly ModelPart[];
  /** The model got the outcome in the framework's error form. */
  readonly isError: boolean;
  /** How often a model was asked, the decision itself included; 0 where there is none. */
  readonly modelCalls: number;
  /** All that the framework keeps of the run – messages, a checkpoint – as JSON. Left out where it keeps nothing. */
  readonly stored?: string;
  /** Present where the run waits for a person: goes on with their word or their answers. */
  resume?(decision: Decision): Promise<ChainOutcome>;
  /** Present where the waiting hop stands in messages: puts this call in its place, then approves. */
  resumeForged?(call: ForgedCall): Promise<ChainOutcome>;
}

/** One part of what a model read, whatever the framework calls it. Media never travels as text. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mediaType: string };

/** A tool call that a client wrote into the messages that the framework gave it to keep. */
export interface ForgedCall {
  /** `server.tool`. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Default: the id of the waiting hop. */
  readonly id?: string;
}

/** A pipe that the harness runs. */
export interface PipeInput {
  readonly host: Host;
  /** As an operator or a model wrote it; it may be invalid. */
  readonly spec: unknown;
  readonly signal?: AbortSignal;
  readonly conversation?: string | undefined;
  /** Conditions, lists and expressions: given on as it is. Left out where the pipe is to do without. */
  readonly flow?: PipeFlow;
  /** True where a step that needs a person is to wait. */
  readonly pauses?: boolean;
  /** True if the `nextTool` of a step's result is to be followed. */
  readonly follow?: boolean;
}

/** What came of a pipe. */
export interface PipeOutcome {
  /** The result format of pipes: `{ ok, error, result, steps }`. */
  readonly result: JsonObject;
  /** Left out where no model takes part. */
  readonly modelRead?: readonly ModelPart[];
  /** Present where the pipe waits for a person: goes on with their word on each call that waits. */
  resume?(decision: Approval): Promise<PipeOutcome>;
}

/** A guarded query, and what its model does. */
export interface GuardInput {
  readonly host: Host;
  /** The operator's list; it may be missing or invalid. */
  readonly allow: unknown;
  /** After the last turn the model says nothing. */
  readonly turns: readonly (readonly {
    readonly tool: string;
    readonly arguments?: JsonObject;
  }[])[];
  /** What a person says who is asked. Left out, the call waits. */
  readonly decision?: Approval;
  readonly conversation?: string | undefined;
}

/** What came of a guarded query. */
export interface GuardedOutcome {
  /** Every outcome that the application was told of, in order. */
  readonly outcomes: readonly GuardOutcome[];
  /** All that the model read of results and refusals. */
  readonly modelRead: string;
  /** What the user is told in the end; empty where a call waits. */
  readonly reply: string;
}
