import { expect, it } from "vitest";
import { toHopSummary } from "../../src/adapter.ts";
import { hopOf } from "../hops.ts";

it("A summary names the tool and how the call went, and holds none of its content.", () => {
  const secret = { content: [{ type: "text", text: "secret" }], structuredContent: { a: 1 } };
  expect(toHopSummary(hopOf(secret))).toEqual({ tool: "bank.a", ok: true, durationMs: 1 });
});

it("A call that the server says is an error is not ok.", () => {
  expect(toHopSummary(hopOf({ content: [], isError: true })).ok).toBe(false);
});
