// The settings and steps of a run that are composed and that `ai` 6 and 7 share.

import { invalidOptions, nearestName } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import { asRecord } from "./tools/messages.ts";

export interface StepLike {
  readonly model: { readonly provider: string };
  readonly toolCalls: readonly unknown[];
  readonly toolResults: readonly { readonly output: unknown }[];
}

/** The options that the SDK passes to `prepareStep`. Each major passes more. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly StepLike[];
  readonly stepNumber: number;
  /** The messages of the user during the run, in `ai` 7. They follow the latest results. */
  readonly experimental_steeringMessages?: readonly unknown[];
}

/** The settings that `prepareStep` may return and that are composed. */
export interface StepSettings {
  readonly model?: unknown;
  readonly activeTools?: readonly string[];
  readonly toolChoice?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions require more fields than these types have.
type Condition = {
  stop(state: { readonly steps: readonly StepLike[] }): boolean | PromiseLike<boolean>;
}["stop"];
type PrepareStep = { prepare(options: StepOptions): unknown }["prepare"];

type Status = "not-applicable" | "approved" | "denied" | "user-approval";
type Approval = Status | { readonly type: Status; readonly reason?: string } | undefined;
type Approve<Asked extends readonly unknown[]> = {
  approve(...asked: Asked): Approval | PromiseLike<Approval>;
}["approve"];

export interface CallToApprove {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

interface Asked {
  readonly toolCall: CallToApprove;
  readonly messages: readonly unknown[];
  readonly toolsContext?: Readonly<Record<string, unknown>>;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent` that are composed. Other settings pass unchanged. */
export interface RunSettings {
  readonly model: unknown;
  readonly tools?: object | undefined;
  readonly activeTools?: readonly string[] | undefined;
  readonly toolChoice?:
    | "auto"
    | "none"
    | "required"
    | { readonly type: "tool"; readonly toolName: string }
    | undefined;
  readonly messages?:
    | readonly { readonly role: "system" | "user" | "assistant" | "tool" }[]
    | undefined;
  readonly stopWhen?: Condition | readonly Condition[] | undefined;
  readonly prepareStep?: PrepareStep | undefined;
  /** A setting of the agent class, which calls it with composed settings. Compose the settings that it returns instead. */
  readonly prepareCall?: never;
  /** The approval rules of `ai` 7. */
  readonly toolApproval?:
    | Approve<[options: Asked]>
    | { readonly [tool: string]: Approval | Approve<[input: unknown, options: unknown]> }
    | undefined;
}

type Composed =
  | "tools"
  | "stopWhen"
  | "prepareStep"
  | "prepareCall"
  | "activeTools"
  | "chaining"
  | "singleStep";

/** The caller's settings, composed with these tools. */
export type ComposedSettings<Settings, Tools> = Omit<Settings, Composed> & {
  tools: Tools;
  stopWhen(state: { readonly steps: readonly StepLike[] }): Promise<boolean>;
  prepareStep(options: StepOptions): Promise<object>;
};

/** Returns true if a condition is met. Without conditions a run goes on until the model has answered. */
export async function isAnyMet(
  stopWhen: RunSettings["stopWhen"],
  state: Pick<StepOptions, "steps">,
): Promise<boolean> {
  const conditions = stopWhen === undefined ? [] : [stopWhen].flat();
  const answers = await Promise.all(conditions.map((stop) => stop(state)));
  return answers.some(Boolean);
}

/** Marks a composed `prepareStep`. All copies of the package share this symbol. */
const COMPOSED = Symbol.for("toolrail.composed");

/** Marks the `prepareStep` of composed settings, which are not to be composed again. */
export function markComposed<Prepare extends object>(prepareStep: Prepare): Prepare {
  return Object.assign(prepareStep, { [COMPOSED]: true });
}

/** The function that composes settings, the setting that is its own, and the options of this setting. */
interface Composer {
  readonly fn: "withChaining" | "withSingleStep";
  readonly own: "chaining" | "singleStep";
  readonly options: object;
}

/**
 * Throws `invalid-options` for settings that were composed before, for a short secret, for an option beside the setting that it belongs
 * to, and for a misspelt `chaining` or `singleStep`, which the SDK would drop, so that nothing would be chained or guarded. Throws for an
 * agent's `prepareCall` too, since it could replace the composed settings.
 */
export function refuseMistakes(settings: RunSettings, { fn, own, options }: Composer): void {
  if (!isJsonObject(settings)) {
    throw invalidOptions(`${fn} takes the settings of a run: { model, prompt, ${own} }.`);
  }
  const { prepareStep, stopWhen } = settings;
  const stops: readonly unknown[] = [stopWhen ?? []].flat();
  // The SDK asks a condition after the first calls were made.
  if (!stops.every((stop) => typeof stop === "function") || "maxSteps" in settings)
    throw invalidOptions(`${fn} takes functions as \`stopWhen\`, such as stopWhen: llmSteps(5).`);
  if (COMPOSED in Object(prepareStep)) throw invalidOptions(TWICE);
  const { experimental_toolApprovalSecret: secret, prepareCall } = asRecord(settings);
  const isKey = typeof secret === "string" || secret instanceof Uint8Array;
  if (isKey && secret.length < 32) throw invalidOptions(SHORT_SECRET);
  for (const name of Object.keys(settings)) {
    const [, newer] = /^experimental_(activeTools|prepareStep)$/.exec(name) ?? [];
    if (newer) throw invalidOptions(`${fn} does not compose \`${name}\`: write \`${newer}\`.`);
    if (name !== own && nearestName(name, ["chaining", "singleStep"])) {
      throw invalidOptions(`${fn} has no setting "${name}". Did you mean "${own}"?`);
    }
    if (name !== "tools" && Object.hasOwn(options, name)) {
      throw invalidOptions(`\`${name}\` belongs under \`${own}\`: write { ${own}: { ${name} } }.`);
    }
  }
  const isAgent = !("prompt" in settings || "messages" in settings);
  if (!isAgent || prepareCall === undefined) return;
  const example = `prepareCall: (options) => ${fn}(host, { ...options, ${own} })`;
  throw invalidOptions(
    `${fn} does not compose \`prepareCall\`. Call ${fn} inside it instead: ${example}.`,
  );
}

const SHORT_SECRET =
  "`experimental_toolApprovalSecret` must be at least 32 random characters long.";
const TWICE =
  "These settings already went through withChaining or withSingleStep. Put all servers on one host, and compose the settings once.";
