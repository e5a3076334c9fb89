import { expect, it } from "vitest";
import { engineOf } from "../../src/host/engine.ts";
import { createHost } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const inputSchema = { type: "object", properties: { id: { type: "number" } }, required: ["id"] };

it("says what is wrong with arguments, and asks neither the server nor authorize", async () => {
  const bank = await createTestServer({ a: { definition: { inputSchema } } });
  let asked = 0;
  const authorize = () => {
    asked++;
    return "allow" as const;
  };
  const host = await createHost({ servers: { bank: bank.client }, authorize });
  const engine = engineOf(host);
  expect(engine.checkArguments({ tool: "a", arguments: { id: 1 } })).toBeUndefined();
  expect(engine.checkArguments({ tool: "a", arguments: { id: "x" } })?.code).toBe(
    "invalid-arguments",
  );
  expect(engine.checkArguments({ tool: "a" })?.code).toBe("invalid-arguments");
  expect(engine.checkArguments({ tool: "nowhere" })?.code).toBe("unknown-tool");
  expect(asked).toBe(0);
  expect(bank.calls).toEqual([]);
});
