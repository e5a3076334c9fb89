import { describe, expect, it } from "vitest";
import { runPipe, toPipeReply } from "../../src/pipe/index.ts";
import { echo, failing, openPipeHost, say } from "./pipe-scenario.ts";

describe("the reply to a model", () => {
  it("It is the result and each failure once, never the output of every step.", async () => {
    const { host } = await openPipeHost({ echo, bad: failing("no luck") });
    const page = "x".repeat(50_000);
    const group = {
      id: "g",
      parallel: [
        { id: "a", tool: "echo", args: { page } },
        { id: "n", pipe: { steps: [{ id: "b", tool: "bad" }] } },
      ],
    };
    const spec = { steps: [group], return: { $ref: "steps.g.ok" }, continue_on_error: true };
    const result = await runPipe(host, { spec });
    expect(toPipeReply(result)).toEqual({
      ok: false,
      error: "steps.g.children.n.steps.b: no luck",
      result: false,
    });
  });

  it("Failed steps are named where they failed, however deep, and those around them are not.", async () => {
    const { host } = await openPipeHost({ echo, bad: failing("no luck") });
    const nested = (id: string, pipe: object) => ({ id, pipe });
    const steps = [
      { id: "g", parallel: [nested("n", { steps: [{ id: "b", tool: "bad" }] }), say("c")] },
      nested("r", { steps: [say("d")], return: { $ref: "steps.d.structured.v.w" } }),
    ];
    const reply = toPipeReply(await runPipe(host, { spec: { steps, continue_on_error: true } }));
    expect(reply.error.match(/steps\.[\w.]+(?=: )/g)).toEqual([
      "steps.g.children.n.steps.b",
      "steps.r.return",
    ]);
  });

  it("Errors that are pages long are cut.", async () => {
    const { host } = await openPipeHost({ bad: failing("x".repeat(50_000)) });
    const steps = Array.from({ length: 50 }, (_, at) => ({
      id: `${at} ${"y".repeat(2_000)}`,
      tool: "bad",
    }));
    for (const failing of [steps.slice(0, 2), steps]) {
      const spec = { steps: failing, continue_on_error: true, return: null };
      const reply = toPipeReply(await runPipe(host, { spec }));
      expect(reply.error.length).toBeLessThan(8_100);
    }
  });
});
