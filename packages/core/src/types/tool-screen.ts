import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { HostProblem } from "./tool.ts";

/** What a screen is told beside the tool. */
export interface ScreenContext {
  readonly validator: JsonSchemaValidator;
  /** The host has a typed parser for the tool's output: see `schemas`. */
  readonly hasParser: boolean;
}

/** What a screen says of a tool. */
export interface ScreenVerdict {
  readonly problem?: HostProblem;
  /** True quarantines the tool; `problem` says why. */
  readonly isRefused?: boolean;
}
