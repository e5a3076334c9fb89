import type { GuardOutcome, SingleStepOptions } from "@toolrail/core/guard";
import type { ComposedSettings, RunSettings } from "../run-settings.ts";
import type { SdkTool } from "../sdk-types.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";
import type { ToolOutput } from "../tools/tool-output.ts";

/** How a run answers one query by one call at most. */
export interface SingleStepSettings
  extends SingleStepOptions,
    Pick<ToolsOptions, "scope" | "context" | "userText" | "onAsk"> {
  /** An id that the runs of one query share, where an approval ends one and begins the next. Default: a query for each run. */
  readonly queryId?: string;
  /** Told of the call and of each refusal, before anybody sees its output. What it throws is ignored. */
  readonly onOutcome?: (outcome: GuardOutcome) => void | PromiseLike<void>;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`; those that are not named here pass. */
export interface GuardableSettings extends RunSettings {
  /** The operator's list and the rest of the guard: it does not reach the SDK. Left out, nothing is allowed. */
  readonly singleStep?: SingleStepSettings | undefined;
}

/** The caller's settings under guard. An agent starts a query for each of its runs in `prepareCall`. */
export type GuardedSettings<Settings> = ComposedSettings<
  Settings & { readonly prepareCall: unknown },
  Record<string, SdkTool<ToolOutput>>
>;
