import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HostReport } from "../types/events.ts";
import type { McpPort } from "../types/port.ts";
import type { ClaimingStore, Store } from "../types/store.ts";
import type { HostTool, ToolName, ToolRef } from "../types/tool.ts";
import type { DoorHooks, Policy } from "../types/tool-call.ts";
import type { SourceTracker } from "./argument-source.ts";
import type { CallAudience } from "./audiences.ts";
import type { HopRows } from "./hop-rows.ts";
import type { Limits } from "./limits.ts";
import type { OfferedLinks } from "./offered-links.ts";
import type { Resolve } from "./resolve-references.ts";
import type { SchemaChecks } from "./value-checks.ts";

/** What the door needs of its host. */
export interface DoorParts {
  readonly hooks: DoorHooks;
  /** `authorize` and `ask` of the host. Absent where it has neither. */
  readonly policies: readonly Policy[] | undefined;
  /** Says why a call of this tool has to be approved: a name in the options that protects may mean it. */
  whyAsk(tool: ToolRef): string | undefined;
  /** Of results. */
  readonly parsers: ReadonlyMap<string, StandardSchemaV1>;
  /** Of arguments. */
  readonly inputParsers: ReadonlyMap<string, StandardSchemaV1>;
  readonly limits: Limits;
  readonly checks: SchemaChecks;
  /** Keeps questions that wait for an answer. */
  readonly store: Store;
  /** Makes calls once by their places. Absent where the host was given no store that can claim. */
  readonly claims: ClaimingStore | undefined;
  /** Spends approvals: the store of the host, and without `claim` in it at least once in this process. */
  readonly spends: ClaimingStore;
  /** Where results lie in the store. Absent where nobody wants to know. */
  readonly rows: HopRows["rows"] | undefined;
  /** Who may read what comes of calls. */
  readonly audience: CallAudience;
  /** Puts in what addresses stand for. Absent where the host keeps no results: see `createHost({ references })`. */
  readonly resolve: Resolve | undefined;
  readonly afterCrash: "ask" | "repeat";
  readonly invalidOutput: "fail" | "show";
  /** Knows where arguments came from. Absent where the host does not track that. */
  readonly sources: SourceTracker | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly emit: ((event: HostReport) => void) | undefined;
  /** Throws where there is no such tool, or where it may not be called. */
  find(tool: ToolName): HostTool;
  /** Connects what this tool needs, and never rejects; `undefined` where all is there. */
  wake(tool: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined;
  /** Reads what a server has announced of its tools; `undefined` where there is no news. */
  settle(server: string): Promise<void> | undefined;
  /** Takes it that the tools of all servers have changed. */
  announce(): void;
  /** Reads the list of a server again. */
  refresh(server: string): Promise<void>;
  port(server: string): Pick<McpPort, "call" | "mayAsk">;
  /** What results have linked to, where models may read resources. */
  readonly links: OfferedLinks | undefined;
}
