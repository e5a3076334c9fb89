import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const bank: McpPort = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
const create = (options: object) => createHost({ servers: { bank }, ...options });

describe("An option that many call by another name", () => {
  it.each([
    ["policy", "authorize"],
    ["plugins", "use"],
  ])("is refused by createHost: %s, and the error names %s", async (option, name) => {
    await expect(create({ [option]: [] })).rejects.toMatchObject({
      code: "invalid-options",
      message: `createHost has no option "${option}". Did you mean "${name}"?`,
    });
  });

  it("is refused for a call: idempotencyKey, and the error names key.", async () => {
    const host = await create({ onEvent: () => {} });
    const options = { idempotencyKey: "a" } as object;
    const message = ' has no option "idempotencyKey". Did you mean "key"?';
    const error = { code: "invalid-options", message: expect.stringContaining(message) };
    await expect(host.run({ tool: "bank.a" }, options)).rejects.toMatchObject(error);
    await expect(host.call({ tool: "bank.a" }, options)).rejects.toMatchObject(error);
    await expect(host.check({ tool: "bank.a" }, options)).rejects.toMatchObject(error);
  });
});

const client = bank;
it.each([
  [{ client, prefx: true }, /the server "bank" has no option "prefx". Did you mean "prefix"/],
  [{ client, nextTool: "next" }, /"nextTool" of the server "bank" must be a list of texts/],
  [{ client: () => bank, kind: "port" }, /the server "bank" has no option "kind"/],
])("A description of a server that cannot be right is refused: %j", async (server, message) => {
  await expect(create({ servers: { bank: server } })).rejects.toMatchObject({
    code: "invalid-options",
    message: expect.stringMatching(message),
  });
});

it("What is true of a server holds for one that a function connects, and for no other.", async () => {
  const next = {
    content: [],
    _meta: { "org.example/next": { tool: "b" }, nextTool: { tool: "c" } },
  };
  const calls: string[] = [];
  const port = (server: string): McpPort => ({
    list: async () => ({
      tools: ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    async call({ name }) {
      calls.push(`${server}.${name}`);
      return name === "a" ? next : { content: [] };
    },
  });
  const host = await createHost({
    servers: {
      own: { client: () => port("own"), nextTool: ["org.example/next"] },
      other: port("other"),
    },
  });
  await host.run({ tool: "own.a" });
  await host.run({ tool: "other.a" });
  expect(calls).toEqual(["own.a", "own.b", "other.a", "other.c"]);
});

it("createHost has these twelve options.", async () => {
  const error = await create({ zzz: 1 }).catch((reason: Error) => reason);
  const [, list = ""] = / Use one of (.*)\.$/.exec((error as Error).message) ?? [];
  expect(list.split(", ").toSorted()).toEqual([
    ...["allow", "authorize", "limits", "onEvent", "onInputRequest"],
    ...["requireApproval", "schemas", "secret", "servers", "store", "use", "validator"],
  ]);
});
