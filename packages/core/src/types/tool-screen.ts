import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { HostProblem, HostTool, NamedTools } from "./tool.ts";

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

/** A standing rule of the operator: asked of each tool that a server lists, again whenever it has changed. */
export type ToolScreen = ((
  tool: HostTool,
  context: ScreenContext,
) => ScreenVerdict | Promise<ScreenVerdict>) & {
  /** Names of tools that the screen is about. */
  readonly names?: readonly NamedTools[];
};
