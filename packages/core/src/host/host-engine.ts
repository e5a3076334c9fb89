import type { HostEvent } from "../call/events.ts";
import type { HopRows } from "../call/hop-rows.ts";
import type { KeptResults } from "../call/kept-results.ts";
import type { Store } from "../call/store.ts";
import type { HostTool } from "../call/tool.ts";
import type { ToolCall } from "../call/tool-call.ts";
import type { DecideParts } from "../chain/decide-hop.ts";
import { ToolrailError } from "../errors.ts";
import type { Hop } from "../result/hop.ts";
import type { Host } from "./host.ts";

/** What adapters and engines need of a host besides its public face. */
export interface HostEngine extends DecideParts {
  /** True where calls are authorized one by one, so that any call may have to wait for a person. */
  readonly mayAsk: boolean;
  /** True where any call may have to wait for a person: of those, of calls whose outcome is unknown, and of servers that ask. */
  readonly mayWait: boolean;
  /** Reads what servers have announced of their tools. */
  settle(): Promise<unknown> | undefined;
  /** True where the door makes a call of this tool once in its place: see `createHost({ store })`. */
  isOnce(tool: HostTool): boolean;
  /** True where a typed parser is registered for the tool with this id: see `schemas`. */
  hasParser(toolId: string): boolean;
  /** Passes an event on to `onEvent`. Absent where nobody listens. */
  readonly report: ((event: HostEvent) => void) | undefined;
  /** True where `onHop` of the host shows the user what is for the user. */
  readonly hasListener: boolean;
  /** Told of every hop of the host: see `recordHops`. */
  readonly recorders: Set<(hop: Hop) => void>;
  /** Reports a warning, once for each code. */
  warn(code: Extract<HostEvent, { type: "warning" }>["code"]): void;
  /** Long results by scope. Absent where the host keeps none: see `createHost({ references })`. */
  readonly kept: KeptResults | undefined;
  /** Long results in the `store` that a host with `references` was given. Absent where it was given none. */
  readonly hopRows: HopRows | undefined;
  /** What an approval of a call is bound to whose arguments stand as a model wrote them. */
  bindingOf(call: Pick<ToolCall, "tool" | "arguments" | "scope">): Promise<string>;
  /** Keeps what outlives a call: see `createHost({ store })`. */
  readonly store: Store;
  /** Signs what is kept where clients could write it: see `createHost({ secret })`. */
  readonly secret: string;
  /** A new id, as calls and runs have it. */
  newId(): string;
}

const ENGINE = Symbol.for("toolrail.engine");

/** Puts the engine behind a host, where two copies of the package find it. */
export function withEngine(host: Host, engine: HostEngine): Host {
  return Object.defineProperty(host, ENGINE, { value: engine });
}

/** The engine behind a host. Throws `invalid-options` for what `createHost` has not made. */
export function engineOf(host: Host): HostEngine {
  const engine = (host as { readonly [ENGINE]?: HostEngine } | undefined)?.[ENGINE];
  if (engine) return engine;
  const message =
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.";
  throw new ToolrailError("invalid-options", message);
}
