import type { Host } from "@toolrail/core";
import { createOptionCheck, engineOf, invalidOptions, nearestName } from "@toolrail/core/adapter";
import type { ComposedSettings, PrepareStep, RunSettings } from "../run-settings.ts";
import type { SdkTool } from "../sdk-types.ts";
import { asRecord } from "../tools/messages.ts";
import type { ToolOutput } from "../tools/tool-output.ts";
import { checkNames, type TypedNames } from "../tools/typed-tools.ts";
import { CALLER, type CallerOptions, type ToolsOptions } from "../tools/types.ts";
import type { PendingHops } from "./pending-hops.ts";

/** The options of `withChaining`. Hops also reach tools that `tools` does not offer to the model. */
export interface ChainingOptions extends CallerOptions, Pick<ToolsOptions, "tools" | "onHop"> {
  /** The tools whose types the SDK and its pages know, as for `createTools`. Default: none. */
  readonly typed?: TypedNames | undefined;
  /** If true, the model reads each chain as one call, since some providers reject separate hops. Default: true. */
  readonly fold?: boolean;
  /** If true, a run whose results were all for the user ends without a last model call. Default: true. */
  readonly endWhenShown?: boolean;
}

/** The options of a chain, and what its tools share. */
export interface ChainParts extends ChainingOptions {
  readonly host: Host;
  readonly pendingHops: PendingHops;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`. Settings that are not named here pass unchanged. */
export interface ChainableSettings extends RunSettings {
  /** The other name of `activeTools` in `ai` 6. */
  readonly experimental_activeTools?: readonly string[] | undefined;
  /** The other name of `prepareStep` in `ai` 6. */
  readonly experimental_prepareStep?: PrepareStep | undefined;
  /** The options of `withChaining`. The SDK does not receive them. */
  readonly chaining?: ChainingOptions | undefined;
  /** An option that belongs under `chaining`. */
  readonly onHop?: never;
}

/** The caller's settings, composed. `tools` keeps the types of the caller's tools, and the host's tools are dynamic. */
export type ChainedSettings<Settings> = ComposedSettings<
  Settings,
  Settings extends { readonly tools: infer Tools extends object }
    ? Tools
    : Record<string, SdkTool<ToolOutput>>
>;

const CHAINING = {
  ...CALLER,
  tools: ["texts", "function"],
  typed: "object",
  onHop: "function",
  fold: "boolean",
  endWhenShown: "boolean",
} as const;

const checkChaining = /* @__PURE__ */ createOptionCheck<ChainingOptions>("`chaining`", CHAINING);

/** Throws `invalid-options` for typical mistakes. Warns if the host may ask for approvals that the SDK does not sign. */
export function checkSettings(host: Host, settings: ChainableSettings): void {
  const { mayAsk, warn } = engineOf(host);
  const { chaining = {} } = settings;
  checkChaining(chaining);
  refuseMistakes(settings, { setting: "chaining", options: CHAINING });
  for (const [name, value] of Object.entries(settings)) {
    if (typeof asRecord(value).then !== "function") continue;
    throw invalidOptions(
      `\`${name}\` is a promise. Await it first, for example the result of convertToModelMessages.`,
    );
  }
  const { messages, experimental_toolApprovalSecret: secret } = asRecord(settings);
  const isOfPage = [messages].flat().some((message) => "parts" in Object(message));
  if (isOfPage) throw invalidOptions(PAGE_MESSAGES);
  if (chaining.typed) checkNames(host.tools, chaining.typed);
  if (mayAsk() && !secret) warn("no-approval-secret");
}

/** The setting that is ours, and its options. */
interface OwnSetting {
  readonly setting: "chaining" | "singleStep";
  readonly options: object;
}

/**
 * Throws for settings that were composed before, for a short secret, for an option beside the setting that it belongs to, and for a misspelt `chaining`
 * or `singleStep`, which the SDK would drop, so that nothing would be chained or guarded. Throws for an agent's `prepareCall` too,
 * since it could replace the composed settings.
 */
export function refuseMistakes(settings: RunSettings, { setting, options }: OwnSetting): void {
  const { prepareStep } = settings;
  if (prepareStep && COMPOSED in prepareStep) throw invalidOptions(TWICE);
  const fn = setting === "chaining" ? "withChaining" : "withSingleStep";
  const { experimental_toolApprovalSecret: secret } = asRecord(settings);
  const isKey = typeof secret === "string" || secret instanceof Uint8Array;
  if (isKey && secret.length < 32) throw invalidOptions(SHORT_SECRET);
  const near = Object.keys(settings).find(
    (name) => name !== setting && nearestName(name, [setting]),
  );
  if (near !== undefined) {
    throw invalidOptions(`${fn} has no setting "${near}". Did you mean "${setting}"?`);
  }
  const stray = Object.keys(settings).find(
    (name) => name !== "tools" && Object.hasOwn(options, name),
  );
  if (stray !== undefined) {
    throw invalidOptions(
      `\`${stray}\` belongs under \`${setting}\`: write { ${setting}: { ${stray} } }.`,
    );
  }
  const isAgent = !("prompt" in settings || "messages" in settings);
  if (!isAgent || asRecord(settings).prepareCall === undefined) return;
  const example = `prepareCall: (options) => ${fn}(host, { ...options, ${setting} })`;
  throw invalidOptions(
    `${fn} does not compose \`prepareCall\`. Call ${fn} inside it instead: ${example}.`,
  );
}

/** Marks a composed `prepareStep`. All copies of the package share this symbol. */
export const COMPOSED = Symbol.for("toolrail.composed");

const PAGE_MESSAGES =
  "`messages` are those of a page: convert them with `await convertToModelMessages(messages)` first.";
const SHORT_SECRET =
  "`experimental_toolApprovalSecret` must be at least 32 random characters long.";
const TWICE =
  "These settings already went through withChaining or withSingleStep. Put all servers on one host, and compose the settings once.";
