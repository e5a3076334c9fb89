import { describe, expect, it } from "vitest";
import { createToolCatalog } from "../../src/host/tool-catalog.ts";
import type { ServerTools } from "../../src/host/tool-list.ts";
import type { HostTool } from "../../src/index.ts";

const SCHEMA = { type: "object" };

function serverOf(names: readonly string[], more: Partial<ServerTools> = {}): ServerTools {
  const tools = names.map((name) => ({ name, definition: {}, inputSchema: SCHEMA }));
  return { tools, problems: [], ...more };
}

function catalogOf(
  servers: Record<string, ServerTools>,
  isAllowed: (tool: HostTool) => boolean = () => true,
) {
  return createToolCatalog(new Map(Object.entries(servers)), isAllowed);
}

const TWO = { bank: serverOf(["pay", "search"]), docs: serverOf(["search"]) };

describe("find", () => {
  it("finds a tool by server.tool, by reference, and by a bare name that one server has", () => {
    const { find } = catalogOf(TWO);
    expect(find("bank.pay").id).toBe("bank.pay");
    expect(find({ server: "docs", name: "search" }).id).toBe("docs.search");
    expect(find("pay").id).toBe("bank.pay");
  });

  it("refuses a bare name that two servers have, and lists both", () => {
    expect(() => catalogOf(TWO).find("search")).toThrow(
      expect.objectContaining({
        code: "ambiguous-tool",
        message: expect.stringContaining("bank.search, docs.search"),
      }),
    );
  });

  it("refuses a text that is a bare name of one server and server.tool of another", () => {
    const { find } = catalogOf({ x: serverOf(["bank.pay"]), bank: serverOf(["pay"]) });
    expect(() => find("bank.pay")).toThrow(expect.objectContaining({ code: "ambiguous-tool" }));
    expect(find({ server: "x", name: "bank.pay" }).id).toBe("x.bank.pay");
  });

  it("says which tools there are when there is none of that name", () => {
    expect(() => catalogOf(TWO).find("fly")).toThrow(/no tool "fly".*bank.pay, bank.search/);
    expect(() => catalogOf({ bank: serverOf([]) }).find("fly")).toThrow(/has none at all/);
  });

  it.each(["__proto__", "constructor", "toString", "", ".", "bank."])("finds no %o", (name) => {
    expect(() => catalogOf(TWO).find(name)).toThrow(
      expect.objectContaining({ code: "unknown-tool" }),
    );
  });

  it("tells a tool outside of allow, which still counts for ambiguity", () => {
    const { find, tools } = catalogOf(TWO, (tool) => tool.id === "docs.search");
    expect(tools.map(({ id }) => id)).toEqual(["docs.search"]);
    expect(() => find("bank.pay")).toThrow(expect.objectContaining({ code: "not-allowed" }));
    expect(() => find("search")).toThrow(expect.objectContaining({ code: "ambiguous-tool" }));
  });

  it("tells a quarantined tool with its problem, and a server that is down", () => {
    const problem = { server: "bank", tool: "bad", code: "invalid-schema", message: "m" } as const;
    const down = { server: "mail", code: "list-failed", message: "gone" } as const;
    const { find, problems } = catalogOf({
      bank: serverOf(["pay"], { problems: [problem] }),
      mail: serverOf([], { problems: [down] }),
    });
    expect(problems).toEqual([problem, down]);
    expect(() => find("bank.bad")).toThrow(expect.objectContaining({ code: "quarantined-tool" }));
    expect(() => find("bad")).toThrow(expect.objectContaining({ code: "quarantined-tool" }));
    expect(() => find("mail.send")).toThrow(
      expect.objectContaining({ code: "server-unavailable" }),
    );
  });
});

describe("a tool", () => {
  const withMeta = (meta: unknown) =>
    catalogOf({
      bank: {
        tools: [{ name: "a", definition: { _meta: meta }, inputSchema: SCHEMA }],
        problems: [],
      },
    }).find("a");

  it.each([
    [undefined, true],
    [{ ui: {} }, true],
    [{ ui: { visibility: ["model", "app"] } }, true],
    [{ ui: { visibility: ["app"] } }, false],
    [{ ui: { visibility: [] } }, false],
    [{ ui: { visibility: "model" } }, false],
  ])("with the _meta %o is for a model: %s", (meta, forModel) => {
    expect(withMeta(meta).forModel).toBe(forModel);
  });

  it("has only those members that the server sent in the right form", () => {
    const definition = { title: 1, description: "d", annotations: "x", _meta: [] };
    const tools = [{ name: "a", definition, inputSchema: SCHEMA }];
    expect(catalogOf({ bank: { tools, problems: [] } }).find("a")).toEqual({
      server: "bank",
      name: "a",
      id: "bank.a",
      modelName: "a",
      description: "d",
      inputSchema: SCHEMA,
      forModel: true,
    });
  });
});

describe("has", () => {
  it("knows tools that are not allowed, and quarantined ones", () => {
    const problem = { server: "bank", tool: "bad", code: "invalid-schema", message: "m" } as const;
    const bank = serverOf(["pay"], { problems: [problem] });
    const { has } = catalogOf({ bank }, () => false);
    expect(["pay", "bad", "fly"].map((name) => has({ server: "bank", name }))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
