import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const bank: McpPort = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
const create = (options: object) => createHost({ servers: { bank }, ...options });

describe("an option that stands elsewhere now", () => {
  it.each([
    ["now", "`clock: { now }`"],
    ["newId", "`clock: { newId }`"],
    ["silent", "`onEvent: () => {}`"],
  ])("is refused: %s, and the error says where", async (option, place) => {
    const message = `createHost has no option "${option}" any more: write ${place}.`;
    await expect(create({ [option]: true })).rejects.toMatchObject({
      code: "invalid-options",
      message,
    });
  });
});

it.each([
  [{ clock: { time: () => 0 } }, /clock has no option "time"/],
  [{ clock: { now: 5 } }, /"now" of clock must be a function/],
])("A clock that cannot work is refused: %j", async (options, message) => {
  await expect(create(options)).rejects.toMatchObject({
    code: "invalid-options",
    message: expect.stringMatching(message),
  });
});
