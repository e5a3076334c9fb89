import { audience, createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { everyPath } from "./fixtures/every-path.ts";

const PIN = "4711";
/** The guard calls only what describes its output. */
const definition = { outputSchema: { type: "object" } };

const refuse = (said: string) => {
  throw Object.assign(new Error(said), { code: -32_603, data: said });
};

describe.each(everyPath)("an error of a tool for the user alone, by $name", (path) => {
  it("is not read by the model in the words of its server", async () => {
    const server = await createTestServer({
      a: { definition, answer: () => refuse(`PIN ${PIN}`) },
    });
    const host = await createHost({
      servers: { bank: server.client },
      use: [audience({ tools: { "bank.*": ["user"] } })],
    });
    expect(await path.call(host)).not.toContain(PIN);
    const { error } = await host.run({ tool: "a" });
    expect(error).toMatchObject({
      code: "protocol",
      cause: { message: expect.stringContaining(PIN) },
    });
  });
});
