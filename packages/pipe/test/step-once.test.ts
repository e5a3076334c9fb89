import { once } from "@toolrail/plugins/once";
import { expect, it } from "vitest";
import type { HostOptions } from "../../core/src/index.ts";
import { createMemoryStore } from "../../core/src/plugin.ts";
import { resumePipe, runPipe } from "../src/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const RUN = { pipeId: "run-1", conversation: "user-1" } as const;
const SPEC = {
  steps: [
    { id: "quote", tool: "quote" },
    { id: "pay", tool: "echo", args: { v: { $ref: "steps.quote.structured.v" } } },
  ],
};

/** Workers over one store. The price that each of them is quoted differs. */
function openWorkers() {
  const store = createMemoryStore({ maxBytes: 1e6, maxConversationBytes: 1e6, now: Date.now });
  const paid: unknown[] = [];
  let price = 10;
  const tools = {
    quote: {
      definition: { annotations: { readOnlyHint: true } },
      answer: () => ({ content: [], structuredContent: { v: price++ } }),
    },
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

it.each(["ask", "repeat"] as const)(
  "A step that another worker has run with other arguments is not run again without a person's word (afterCrash: %s).",
  async (afterCrash) => {
    const { paid, work } = openWorkers();
    expect((await runPipe(await work(), { ...RUN, spec: SPEC })).ok).toBe(true);
    const host = await work({ use: [once({ afterCrash })] });
    const { error } = await runPipe(host, { ...RUN, spec: SPEC });
    expect(error).toContain("with other arguments than now");
    const { paused } = await runPipe(host, { ...RUN, spec: SPEC, pauses: true });
    expect(paid).toEqual([10]);
    const { id = "", asks = [] } = paused ?? {};
    expect(asks).toMatchObject([{ path: "steps.pay", pending: { lostAttempts: 1 } }]);
    const answers = Object.fromEntries(asks.map(({ path }) => [path, "approve" as const]));
    expect((await resumePipe(host, { id, answers, conversation: RUN.conversation })).ok).toBe(true);
    expect(paid).toEqual([10, 12]);
  },
);

it("A step that another worker has run with the same arguments gets its result.", async () => {
  const { paid, work } = openWorkers();
  const spec = { steps: [{ id: "pay", tool: "echo", args: { v: 1 } }] };
  for (let worker = 0; worker < 2; worker++) {
    const { result } = await runPipe(await work(), { ...RUN, spec });
    expect(result).toEqual({ v: 1 });
  }
  expect(paid).toEqual([1]);
});
