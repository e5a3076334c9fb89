import { expect, it } from "vitest";
import { createHost } from "../../core/src/index.ts";
import { checkPipe, runPipe } from "../src/index.ts";

it("checks and runs a spec as the README shows", async () => {
  const shop = {
    list: async () => ({ tools: [{ name: "count", inputSchema: { type: "object" as const } }] }),
    call: async () => ({ content: [{ type: "text", text: "3 orders" }] }),
  };
  const host = await createHost({ servers: { shop } });
  const spec = { steps: [{ id: "count", tool: "count", args: {} }], return: "${steps.count.text}" };

  const verdict = checkPipe(host, { spec });
  if (!verdict.ok) throw verdict.error;
  const { ok, result } = await runPipe(host, { spec: verdict.pipe });

  expect({ ok, result }).toEqual({ ok: true, result: "3 orders" });
});
