import { invalidOptions } from "../errors.ts";
import type { createEngine } from "./create-engine.ts";
import type { Host } from "./host.ts";

/** The parts of a host that Toolrail's own packages use besides its public interface. */
export type HostEngine = ReturnType<typeof createEngine>;

const ENGINE = Symbol.for("toolrail.engine");

/** Attaches the engine to a host, so that two copies of the package can find it. */
export function withEngine(host: Host, engine: HostEngine): Host {
  return Object.defineProperty(host, ENGINE, { value: engine });
}

/** Returns the engine of a host. Throws `invalid-options` for anything that `createHost` did not create. */
export function engineOf(host: Host): HostEngine {
  const engine = (host as { readonly [ENGINE]?: HostEngine } | undefined)?.[ENGINE];
  if (engine) return engine;
  throw invalidOptions(
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.",
  );
}
