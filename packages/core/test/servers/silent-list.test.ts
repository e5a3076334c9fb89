import { expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const tools = [{ name: "echo", inputSchema: { type: "object" } }];
const never = () => new Promise<never>(() => {});
const answering: McpPort = { list: async () => ({ tools }), call: async () => ({ content: [] }) };

it.each([
  ["the first page", never],
  ["a later page", async (cursor?: string) => (cursor ? never() : { tools, nextCursor: "2" })],
])(
  "A server that never sends %s of its tools holds up neither the host nor the others.",
  async (_, list) => {
    const silent: McpPort = { ...answering, list: list as McpPort["list"] };
    const host = await createHost({
      servers: { silent, answering },
      limits: { callTimeoutMs: 60 },
    });
    expect(host.tools.map(({ id }) => id)).toEqual(["answering.echo"]);
    expect(host.problems).toMatchObject([{ server: "silent", code: "list-failed" }]);
    await expect(host.refresh("silent")).resolves.toBeUndefined();
    await expect(host.call({ tool: "answering.echo" })).resolves.toMatchObject({ tool: "echo" });
    await expect(host.call({ tool: "silent.echo" })).rejects.toMatchObject({
      code: "server-unavailable",
    });
  },
);

it("Lists that change while the host runs, and are then never sent again, end with the limit too.", async () => {
  let isSilent = false;
  const fading: McpPort = {
    ...answering,
    list: () => (isSilent ? never() : Promise.resolve({ tools })),
  };
  const host = await createHost({ servers: { fading }, limits: { callTimeoutMs: 60 } });
  isSilent = true;
  await host.refresh("fading");
  expect(host.problems).toMatchObject([{ server: "fading", code: "list-failed" }]);
});
