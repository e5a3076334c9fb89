import { describe, expect, it, onTestFinished } from "vitest";
import type { Audiences } from "../../src/call/audiences.ts";
import { audience, createHost, modelView, userView } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { createTestServer } from "../servers.ts";

const text = (text: string, audience?: readonly string[]) => ({
  type: "text",
  text,
  ...(audience && { annotations: { audience, priority: 1 } }),
});

async function call(result: object, tools: Audiences) {
  const { client } = await createTestServer({ balance: { answer: () => result }, pay: {} });
  const host = await createHost({
    servers: { bank: client },
    use: [audience({ tools })],
  });
  onTestFinished(() => host.close());
  const { output: _, ...hop } = await host.call({ tool: "balance" });
  const { content } = modelView(hop.result);
  return {
    host,
    result: hop.result,
    read: JSON.stringify(content),
    shown: JSON.stringify(userView(hop.result)),
  };
}

describe("`audience` of a host", () => {
  it.each<[string, object]>([
    ["text", { content: [text("secret 12")] }],
    [
      "text beside structured content",
      { content: [text("12")], structuredContent: { secret: 12 } },
    ],
    ["structured content alone", { content: [], structuredContent: { secret: 12 } }],
    ["an error", { content: [text("secret")], isError: true }],
    [
      "a text whose annotations name no audience",
      { content: [{ ...text("secret"), annotations: { priority: 1 } }] },
    ],
    ["a picture", { content: [{ type: "image", data: "secret", mimeType: "image/png" }] }],
  ])("keeps %s from models, and for the user.", async (_, result) => {
    const { read, shown } = await call(result, { "bank.balance": ["user"] });
    expect(read).not.toMatch(/secret|12/);
    expect(shown).toMatch(/secret|12/);
  });

  it("says nothing if the server has an audience of its own.", async () => {
    const content = [text("for all"), text("for the model", ["assistant"])];
    const { result, read } = await call({ content }, { "bank.*": ["user"] });
    expect(read).toContain("for the model");
    expect(read).not.toContain("for all");
    expect(result.content[1]).toEqual(content[1]);
  });

  it("goes by the first pattern that fits, and leaves other tools alone.", async () => {
    const first = { "bank.bal*": ["assistant"], "*.balance": ["user"] } as const;
    expect((await call({ content: [text("x")] }, first)).result.content[0]).toMatchObject({
      annotations: { audience: ["assistant"] },
    });
    const { result } = await call({ content: [text("x")] }, { "bank.pay": ["user"] });
    expect(result.content).toEqual([text("x")]);
  });

  it.each([
    ["*", "bank.*"],
    ["bank.*", "bank.balance"],
    ["*a*", "bank.*"],
    ["balance", "bank.balance"],
    ["*", "balance"],
  ])(
    "refuses %s before %s, which would never count, and takes them the other way round.",
    (wide, narrow) => {
      const tools = (...patterns: readonly string[]) => ({
        tools: Object.fromEntries(["x.y", ...patterns].map((one) => [one, ["user"] as const])),
      });
      expect(() => audience(tools(wide, narrow))).toThrow(
        expect.objectContaining({
          code: "invalid-options",
          message: `"${wide}" of audience comes before "${narrow}" and matches all of its tools, so "${narrow}" never counts: put it first, or leave it out.`,
        }),
      );
      expect(() => audience(tools(narrow, wide))).not.toThrow();
    },
  );

  it.each([
    ["bank.bal*", "bank.*e"],
    ["bank.*.a", "bank.*"],
    ["bank.balance", "bank.*"],
    ["balance", "bank.*"],
    ["bank.balance", "balance"],
  ])("takes %s before %s, which counts for other tools.", (first, later) => {
    const tools = { [first]: ["user"], [later]: ["assistant"] } as const;
    expect(() => audience({ tools })).not.toThrow();
  });

  it.each([[[]], ["user"], [["user", "model"]], [null]])("refuses the readers %j.", (readers) => {
    const refused = expect.objectContaining({ code: "invalid-options" });
    expect(() => audience({ tools: { "bank.*": readers as never } })).toThrow(refused);
  });

  it("holds for what a pipe of a model returns.", async () => {
    const secret = { content: [], structuredContent: { secret: 12 } };
    const { host } = await call(secret, { "bank.balance": ["user"] });
    const spec = {
      steps: [{ id: "a", tool: "balance", args: {} }],
      return: { $ref: "steps.a.structured.secret" },
    };
    const { result_for_model: read } = await runPipe(host, { spec, author: "model" });
    expect(read).toBe("(for the user alone)");
  });
});
