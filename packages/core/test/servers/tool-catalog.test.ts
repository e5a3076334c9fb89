import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/index.ts";
import { ToolCatalog } from "../../src/servers/tool-catalog.ts";
import type { ServerTools } from "../../src/servers/tool-list.ts";

const SCHEMA = { type: "object" };

/** The names of the tools of a server, and what is wrong with others. */
interface Listed {
  readonly names: readonly string[];
  readonly problems?: ServerTools["problems"];
}

function serverOf(names: readonly string[], more: Omit<Listed, "names"> = {}): Listed {
  return { names, ...more };
}

function catalogOf(
  listed: Record<string, Listed>,
  isAllowed: (tool: Tool) => boolean = () => true,
) {
  const servers = new Map<string, ServerTools>();
  for (const [server, { names, problems = [] }] of Object.entries(listed)) {
    const tools = names.map((name) => {
      const id = `${server}.${name}`;
      return { server, name, id, modelName: name, inputSchema: SCHEMA, forModel: true };
    });
    servers.set(server, { tools, problems });
  }
  const catalog = new ToolCatalog({ servers, isAllowed });
  return {
    tools: catalog.tools,
    problems: catalog.problems,
    find: catalog.find.bind(catalog),
    has: catalog.has.bind(catalog),
  };
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
    const { find } = catalogOf(TWO);
    expect(() => find("search")).toThrow(
      expect.objectContaining({
        code: "unknown-tool",
        message: expect.stringContaining('Did you mean "bank.search" or "docs.search"?'),
      }),
    );
  });

  it("reads a text as the id of a tool if another server uses it as a bare name", () => {
    const { find } = catalogOf({ x: serverOf(["bank.pay"]), bank: serverOf(["pay"]) });
    expect(find("bank.pay")).toMatchObject({ server: "bank", name: "pay" });
    expect(find({ server: "x", name: "bank.pay" }).id).toBe("x.bank.pay");
  });

  it("says which tools there are when no tool has that name", () => {
    const { find } = catalogOf(TWO);
    expect(() => find("fly")).toThrow(/no tool "fly".*bank.pay, bank.search/);
    const empty = catalogOf({ bank: serverOf([]) });
    expect(() => empty.find("fly")).toThrow(/no tool "fly"\. Known tools: none\.$/);
  });

  it.each(["bank.serach", "bank.search_all"])("names the nearest tool for %s", (name) => {
    const { find } = catalogOf(TWO);
    expect(() => find(name)).toThrow(
      `There is no tool "${name}". Did you mean "bank.search"? Known tools: bank.pay, `,
    );
  });

  it("names the nearest tool for a misspelt bare name, also one beyond those that it lists", () => {
    const names = Array.from({ length: 20 }, (_, index) => `other_${index}`);
    const { find } = catalogOf({ files: serverOf([...names, "get_file_info"]) });
    expect(() => find("get_file_inf")).toThrow(
      /no tool "get_file_inf"\. Did you mean "files\.get_file_info"\? Known tools: .*, and 9 more\.$/,
    );
  });

  it.each(["__proto__", "constructor", "toString", "", ".", "bank."])("finds no %o", (name) => {
    const { find } = catalogOf(TWO);
    expect(() => find(name)).toThrow(expect.objectContaining({ code: "unknown-tool" }));
  });

  it("refuses a tool outside of allow, which still shares its bare name", () => {
    const { find, tools } = catalogOf(TWO, (tool) => tool.id === "docs.search");
    expect(tools.map(({ id }) => id)).toEqual(["docs.search"]);
    expect(() => find("bank.pay")).toThrow(expect.objectContaining({ code: "not-allowed" }));
    expect(() => find("search")).toThrow(/"bank\.search" or "docs\.search"/);
  });

  it("refuses a quarantined tool with its problem, and names a server that is down", () => {
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
