import type {
  ApprovalDecision,
  ChainEnd,
  GuardOutcome,
  Hop,
  Host,
  HostEvent,
  HostOptions,
  JsonObject,
} from "@toolrail/core";
import type { RequirementId } from "./requirements.ts";

/** One part of what a model read, whatever the framework calls it. Media never travels as text. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mediaType: string };

/** A model decides to call one tool; everything after that is the implementation's own doing. */
export interface ChainInput {
  readonly host: Host;
  /** `server.tool`, or a bare name. `host.find(tool).modelName` is the name that a model uses. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly signal?: AbortSignal;
}

export interface ChainOutcome {
  /** Every result obtained, in order, as the application gets them. */
  readonly hops: readonly Hop[];
  /** Left out only where the framework has no place to say it. */
  readonly ended?: ChainEnd;
  /**
   * What the model read after its decision, in order; folded hops included, `_meta` never. Texts may
   * have been joined by lines.
   */
  readonly modelRead: readonly ModelPart[];
  /** The model got the outcome in the framework's error form. */
  readonly isError: boolean;
  /** How often a model was asked, the decision itself included; 0 where there is none. */
  readonly modelCalls: number;
  /** There where the run waits for a person. */
  resume?(decision: ApprovalDecision): Promise<ChainOutcome>;
}

/** A pipe as an operator or a model wrote it. */
export interface PipeInput {
  readonly host: Host;
  readonly spec: unknown;
  readonly signal?: AbortSignal;
}

export interface PipeOutcome {
  /** The output format of the contract: `{ ok, error, result, steps }`. */
  readonly result: JsonObject;
  /** Left out where no model takes part. */
  readonly modelRead?: readonly ModelPart[];
}

/**
 * One query of a user, in which a model attempts these calls, several in one turn or one after another,
 * and after the last turn says nothing.
 */
export interface GuardInput {
  readonly host: Host;
  /** The operator's list; anything else stands for a missing or broken one. */
  readonly allow: unknown;
  readonly turns: readonly (readonly {
    readonly tool: string;
    readonly arguments?: JsonObject;
  }[])[];
  /** What a person says who is asked. Left out, nobody is asked and the call waits. */
  readonly decision?: ApprovalDecision;
}

export interface GuardedOutcome {
  /** Every outcome that the application was told of, in order. */
  readonly outcomes: readonly GuardOutcome[];
  /** All that the model read of results and refusals. */
  readonly modelRead: string;
  /** What the user is told in the end; empty where a call waits. */
  readonly reply: string;
}

/** What an implementation can do. A harness leaves out what it cannot. */
export interface Capabilities {
  chain(input: ChainInput): Promise<ChainOutcome>;
  pipe(input: PipeInput): Promise<PipeOutcome>;
  guard(input: GuardInput): Promise<GuardedOutcome>;
}

/** One implementation under test: a file in `harnesses/` that exports it as `harness`. */
export interface Harness extends Partial<Capabilities> {
  readonly name: string;
  /** Requirements that make no sense here, each with the reason, which the run prints. */
  readonly exempt?: Partial<Record<RequirementId, string>>;
}

/** The test of one requirement for any implementation of the capability. */
export type Check<Capability extends keyof Capabilities> = (
  run: Capabilities[Capability],
) => Promise<void>;

export type ScenarioOptions = Omit<HostOptions, "servers"> & {
  readonly onEvent?: (event: HostEvent) => void;
};
