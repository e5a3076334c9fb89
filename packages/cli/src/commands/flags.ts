import type { JsonObject } from "@toolrail/core";

/** The options of every command that talks to servers, and those of single commands. */
export interface Flags {
  readonly server?: readonly string[];
  readonly config?: string;
  readonly header?: readonly string[];
  readonly meta?: JsonObject;
  readonly maxDepth?: number;
  readonly maxSteps?: number;
  readonly maxParallel?: number;
  readonly timeout?: number;
  readonly json?: boolean;
  readonly debug?: boolean;
  /** `pipe` */
  readonly graph?: boolean;
  readonly engine?: "core" | "langgraph";
  /** `guard` */
  readonly allow?: readonly string[];
  /** `check` */
  readonly baseline?: string;
  readonly exercise?: boolean;
  readonly markdown?: boolean;
  readonly yes?: boolean;
  /** `typegen` */
  readonly out?: string;
}
