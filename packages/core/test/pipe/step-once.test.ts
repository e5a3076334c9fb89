import { expect, it } from "vitest";
import { MemoryStore } from "../../src/call/store.ts";
import type { HostOptions } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const RUN = { pipeId: "run-1", conversation: "user-1" } as const;
/** Workers over one store. */
function openWorkers() {
  const store = new MemoryStore({ maxBytes: 1e6, now: Date.now });
  const paid: unknown[] = [];
  const tools = {
    echo: {
      answer(call: Parameters<NonNullable<typeof echo.answer>>[0]) {
        paid.push(call.arguments.v);
        return echo.answer?.(call);
      },
    },
  };
  const work = async (options: Partial<HostOptions> = {}) =>
    (await openPipeHost(tools, { store, ...options })).host;
  return { paid, work };
}

it("A step that another worker has run with other arguments is not run again.", async () => {
  const { paid, work } = openWorkers();
  const spec = (v: number) => ({ steps: [{ id: "pay", tool: "echo", args: { v } }] });
  expect((await runPipe(await work(), { ...RUN, spec: spec(10) })).ok).toBe(true);
  expect(await runPipe(await work(), { ...RUN, spec: spec(11) })).toMatchObject({ ok: false });
  expect(paid).toEqual([10]);
});

it("A step that another worker has run with the same arguments gets its result.", async () => {
  const { paid, work } = openWorkers();
  const spec = { steps: [{ id: "pay", tool: "echo", args: { v: 1 } }] };
  for (let worker = 0; worker < 2; worker++) {
    const { result } = await runPipe(await work(), { ...RUN, spec });
    expect(result).toEqual({ v: 1 });
  }
  expect(paid).toEqual([1]);
});
