import { createHost, type ToolCall } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../packages/core/test/servers.ts";
import { everyPath } from "./fixtures/every-path.ts";

const definition = { outputSchema: { type: "object" } };

describe.each(everyPath)("a model that calls by $name", (path) => {
  it("calls in the conversation that the application states, hops included", async () => {
    const server = await createTestServer({
      a: { definition, answer: () => ({ ...asking("b"), structuredContent: {} }) },
      b: { definition },
    });
    const seen = new Set<string | undefined>();
    const authorize = ({ conversation }: ToolCall) => {
      seen.add(conversation);
      return "allow" as const;
    };
    const host = await createHost({ servers: { bank: server.client }, authorize });
    await path.call(host, {}, { conversation: "alice-7" });
    expect(server.calls).toContain("a");
    expect([...seen]).toEqual(["alice-7"]);
  });

  it("makes no call in a conversation whose id is empty, which users could share", async () => {
    const server = await createTestServer({ a: { definition } });
    const host = await createHost({ servers: { bank: server.client } });
    const read = await path.call(host, {}, { conversation: "" }).catch(String);
    // LangGraph's store of threads refuses an empty id itself.
    expect(read).toMatch(/conversation.* of .* must be a text that is not empty|empty string/);
    expect(server.calls).toEqual([]);
  });
});
