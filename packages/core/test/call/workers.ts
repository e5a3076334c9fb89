import type { JsonObject } from "@toolrail/core/json";
import type { ToolCallRequest } from "../../src/call/port.ts";
import { MemoryStore, type Store } from "../../src/call/store.ts";
import { createHost, type HostEvent, type HostOptions } from "../../src/index.ts";
import { setClock } from "../clock.ts";

const SCHEMA = { type: "object" };

/** What the one server of a test has seen of a call. */
export type Served = Pick<ToolCallRequest, "name" | "meta">;

/**
 * A server, and workers that each have a host of their own over it, with one store. `answer` may hang or throw; by
 * default it answers with the number of the call.
 */
export function openWorkers(
  answer: (call: Served & { readonly count: number }) => unknown = ({ name, count }) => ({
    content: [{ type: "text", text: `${name} ${count}` }],
  }),
  tools: Readonly<Record<string, JsonObject>> = { pay: {}, other: {} },
) {
  const calls: Served[] = [];
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  setClock(now);
  const memory = new MemoryStore({ maxBytes: 1e6, now });
  const store: Required<Store> = {
    get: (key) => memory.get(key),
    set: (...given) => memory.set(...given),
    delete: (key) => memory.delete(key),
    claim: (...given) => memory.claim(...given),
  };
  const listed = Object.entries(tools).map(([name, more]) => ({
    name,
    inputSchema: SCHEMA,
    ...more,
  }));
  const work = async (options: Partial<HostOptions> = {}) => {
    const events: HostEvent[] = [];
    const host = await createHost({
      servers: {
        bank: {
          list: async () => ({ tools: listed }),
          async call({ name, meta }: ToolCallRequest) {
            calls.push({ name, meta });
            return answer({ name, meta, count: calls.length });
          },
        },
      },
      store,
      onEvent: (event) => events.push(event),
      ...options,
    });
    return { host, events };
  };
  return { calls, clock, store, work };
}

/** A call that its worker never gets an answer to: the worker is lost once the clock has moved on. */
export const NEVER = () => new Promise(() => {});

/** Longer than a call may take by default, and its claim with it. */
export const AFTER_CRASH_MS = 400_000;

/** Waits until the server has had so many calls. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
