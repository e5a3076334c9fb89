import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HostEvent } from "./events.ts";
import type { KeptResults } from "./kept-results.ts";
import type { Limits } from "./limits.ts";
import type { McpPort } from "./mcp-port.ts";
import type { ClaimingStore } from "./store.ts";
import type { HostTool, ToolName } from "./tool.ts";
import type { DoorHooks } from "./tool-call.ts";
import type { SchemaChecks } from "./value-checks.ts";

/** What the door needs of its host. */
export interface DoorParts {
  readonly hooks: DoorHooks;
  readonly parsers: ReadonlyMap<string, StandardSchemaV1>;
  readonly limits: Limits;
  readonly checks: SchemaChecks;
  /** Admissions that were spent. */
  readonly spent: WeakSet<object>;
  /** Makes calls once by their places. Absent where the host was given no store that can claim. */
  readonly claims: ClaimingStore | undefined;
  /** Long results by scope. Absent where the host keeps none: see `createHost({ references })`. */
  readonly kept: KeptResults | undefined;
  readonly afterCrash: "ask" | "repeat";
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: ((event: HostEvent) => void) | undefined;
  /** Throws where there is no such tool, or where it may not be called. */
  find(tool: ToolName): HostTool;
  /** Reads what a server has announced of its tools; `undefined` where there is no news. */
  settle(server: string): Promise<void> | undefined;
  /** Reads the list of a server again. */
  refresh(server: string): Promise<void>;
  port(server: string): McpPort;
}
