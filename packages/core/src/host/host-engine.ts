import type { ChangedCall, DecidedCall } from "../call/change-call.ts";
import type { DecideParts } from "../chain/pending-hop.ts";
import { ToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import type { HostReport } from "../types/events.ts";
import type { HostServices, ReadTool } from "../types/services.ts";
import type { Store } from "../types/store.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import type { Host } from "./host.ts";

/** What adapters and engines need from a host beyond its public interface. */
export interface HostEngine extends DecideParts {
  /** True if a call of this tool, or of any, may have to wait for a person's approval. */
  mayAsk(tool?: Tool): boolean;
  /** True if any call may have to wait for a person: for approval, because its outcome is unknown, or because a server asks. */
  readonly mayWait: boolean;
  /** Reads the tool changes that servers have announced. */
  settle(): Promise<unknown> | undefined;
  /** Calls the watcher whenever the tools of a server were read, changed or not, until the function is called that it returns. */
  watchTools(watcher: () => void): () => void;
  /** True if a call of this tool is made only once for its key: see `createHost({ store })`. */
  isOnce(tool: Tool, key?: string): boolean;
  /** True if a typed parser is registered for the tool: see `schemas`. */
  hasParser(tool: Tool): boolean;
  /** Reports names of tools that no server lists, now and when lists change. */
  watchNames(option: string, names: readonly string[]): Promise<void>;
  /** Passes an event on to `onEvent`. Absent if nobody listens. */
  readonly report: ((event: HostReport) => void) | undefined;
  /** True if the host's `onHop` shows the user the content for the user. */
  readonly hasListener: boolean;
  /** Reports a warning, once for each code. */
  warn(code: Extract<HostReport, { type: "warning" }>["code"]): void;
  /** True if plugins may replace the arguments of a model's call in this conversation before they are checked. */
  changesArguments(conversation: string | undefined): boolean;
  /** What plugins give to adapters. */
  readonly services: Partial<HostServices>;
  /**
   * The pending call as a person has decided: with their arguments and their approval of these, if they want others. `error` says
   * why it is not made so.
   */
  decideCall(pending: PendingCall, decided: DecidedCall): Promise<ChangedCall>;
  /** The binding of an approval for a call, whose arguments may be as the model wrote them. */
  bindingOf(
    call: Pick<ToolCall, "tool" | "arguments" | "written" | "conversation" | "context">,
    /** True where a person approved the tool for good: then nobody has seen these arguments. */
    options?: { readonly isForGood?: boolean },
  ): Promise<string>;
  /** Keeps what outlives a call: see `createHost({ store })`. */
  readonly store: Store;
  /** Signs data that is kept where clients could write it: see `createHost({ secret })`. */
  readonly secret: string;
  /** A new id for a call or a run. */
  newId(): string;
}

const ENGINE = Symbol.for("toolrail.engine");

/** Attaches the engine to a host, where two copies of the package can find it. */
export function withEngine(host: Host, engine: HostEngine): Host {
  return Object.defineProperty(host, ENGINE, { value: engine });
}

/** The engine behind a host. Throws `invalid-options` for anything that `createHost` did not create. */
export function engineOf(host: Host): HostEngine {
  const engine = (host as { readonly [ENGINE]?: HostEngine } | undefined)?.[ENGINE];
  if (engine) return engine;
  const message =
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.";
  throw new ToolrailError("invalid-options", message);
}

/** The tool `read_result`; `undefined` if the host keeps no results. */
export function defineReadTool(host: Host): ReadTool | undefined {
  return engineOf(host).services.readTool;
}
