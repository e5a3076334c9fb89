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

/** The parts of a host that adapters and engines use besides its public interface. */
export interface HostEngine extends DecideParts {
  /** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
  mayAsk(tool?: Tool): boolean;
  /** True if any call may have to wait for a person: for an approval, because its outcome is unknown, or because a server asks. */
  readonly mayWait: boolean;
  /** Reads the tool changes that servers have announced. */
  settle(): Promise<unknown> | undefined;
  /** Runs the watcher after each reading of a server's tools, changed or not. Returns a function that ends this. */
  watchTools(watcher: () => void): () => void;
  /** True if a call of this tool is made only once for its key: see `createHost({ store })`. */
  isOnce(tool: Tool, key?: string): boolean;
  /** True if a parser is registered for the tool: see `schemas`. */
  hasParser(tool: Tool): boolean;
  /** Reports names of tools that no server lists, now and when lists change. */
  watchNames(option: string, names: readonly string[]): Promise<void>;
  /** Passes an event to `onEvent`. Absent if there is no listener. */
  readonly report: ((event: HostReport) => void) | undefined;
  /** True if the host's `onHop` shows the user the content for the user. */
  readonly hasListener: boolean;
  /** Reports a warning, once for each code. */
  warn(code: Extract<HostReport, { type: "warning" }>["code"]): void;
  /** True if plugins may replace the arguments of a model's call in this conversation before they are checked. */
  changesArguments(conversation: string | undefined): boolean;
  /** The services that plugins provide to adapters. */
  readonly services: Partial<HostServices>;
  /** Gives a pending call the arguments that a person wants, and their approval of these. `error` is set if it cannot be made so. */
  decideCall(pending: PendingCall, decided: DecidedCall): Promise<ChangedCall>;
  /** Builds the binding of an approval for a call, whose arguments may be those that the model wrote. */
  bindingOf(
    call: Pick<ToolCall, "tool" | "arguments" | "written" | "conversation" | "context">,
    /** `isForGood` is true if a person approved the tool for good: then no one has seen these arguments. */
    options?: { readonly isForGood?: boolean },
  ): Promise<string>;
  /** Keeps what outlives a call: see `createHost({ store })`. */
  readonly store: Store;
  /** Signs data that is stored where clients could change it: see `createHost({ secret })`. */
  readonly secret: string;
  /** Creates an id for a call or a run. */
  newId(): string;
}

const ENGINE = Symbol.for("toolrail.engine");

/** Attaches the engine to a host, so that two copies of the package can find it. */
export function withEngine(host: Host, engine: HostEngine): Host {
  return Object.defineProperty(host, ENGINE, { value: engine });
}

/** Returns the engine of a host. Throws `invalid-options` for anything that `createHost` did not create. */
export function engineOf(host: Host): HostEngine {
  const engine = (host as { readonly [ENGINE]?: HostEngine } | undefined)?.[ENGINE];
  if (engine) return engine;
  const message =
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.";
  throw new ToolrailError("invalid-options", message);
}

/** Returns the tool `read_result`, or `undefined` if the host keeps no results. */
export function defineReadTool(host: Host): ReadTool | undefined {
  return engineOf(host).services.readTool;
}
