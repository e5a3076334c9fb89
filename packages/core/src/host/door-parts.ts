import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SchemaChecks } from "./checks.ts";
import type { HostEvent } from "./events.ts";
import type { HostOptions } from "./host-options.ts";
import type { Limits } from "./limits.ts";
import type { McpPort } from "./mcp-client.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** What the door needs of its host. */
export interface DoorParts {
  readonly options: Pick<HostOptions, "authorize" | "intercept" | "requestMeta" | "onHop">;
  readonly parsers: ReadonlyMap<string, StandardSchemaV1>;
  readonly limits: Limits;
  readonly checks: SchemaChecks;
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: ((event: HostEvent) => void) | undefined;
  catalog(): ToolCatalog;
  port(server: string): McpPort;
}
