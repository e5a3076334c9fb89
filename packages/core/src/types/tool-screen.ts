import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { HostProblem } from "./tool.ts";

/** The second argument of `checkTool`. */
export interface ScreenContext {
  readonly validator: JsonSchemaValidator;
  /** True if the host has a typed parser for the tool's output: see `schemas`. */
  readonly hasParser: boolean;
}

/** The result of checking a tool. */
export interface ScreenVerdict {
  readonly problem?: HostProblem;
  /** True if the tool is quarantined for the `problem`. */
  readonly isRefused?: boolean;
}
