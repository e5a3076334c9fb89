import { expect, it } from "vitest";
import { createHost, modelView } from "../src/index.ts";
import { asking, createTestServer } from "./servers.ts";

it("chains", async () => {
  const bank = await createTestServer({
    a: { answer: () => asking("b", { x: 1 }) },
    b: {
      definition: {
        inputSchema: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
      },
      answer: () => asking("c"),
    },
    c: {},
  });
  const host = await createHost({
    servers: { bank: bank.client },
    onEvent: (e) => console.log(JSON.stringify(e)),
  });
  const r = await host.run({ tool: "a" });
  console.log(JSON.stringify(r, null, 1), modelView(r));
  expect(r.ended).toBe("complete");
  await expect(host.call({ tool: "bank.b", arguments: { x: "q" } })).rejects.toThrow(
    /must be number/,
  );
});
