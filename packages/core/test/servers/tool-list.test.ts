import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/call/limits.ts";
import type { McpPort } from "../../src/index.ts";
import { readServerTools } from "../../src/servers/tool-list.ts";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** A port that answers `tools/list` page by page. */
function portOf(page: (cursor: unknown) => unknown) {
  const asked: unknown[] = [];
  const port: McpPort = {
    async list({ cursor, meta }) {
      asked.push({ cursor, meta });
      return page(cursor);
    },
    call: () => Promise.reject(new Error("not called here")),
  };
  return { port, asked };
}

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});

async function read(page: (cursor: unknown) => unknown, limits = DEFAULT_LIMITS) {
  const { port, asked } = portOf(page);
  const list = await readServerTools("bank", port.list, { limits, prefixed: [] });
  return { names: list.tools.map(({ name }) => name), problems: list.problems, asked, list };
}

const codes = (problems: readonly { code: string; tool?: string }[]) =>
  problems.map(({ code, tool: name }) => [code, name]);

describe("readServerTools", () => {
  it("reads all pages, in order", async () => {
    const { names, problems, asked } = await read((cursor) =>
      cursor === undefined ? { tools: [tool("a")], nextCursor: "2" } : { tools: [tool("b")] },
    );
    expect(names).toEqual(["a", "b"]);
    expect(problems).toEqual([]);
    expect(asked).toEqual([{}, { cursor: "2" }]);
  });

  it("sends the application's _meta with every page", async () => {
    const { port, asked } = portOf((cursor) => ({
      tools: [],
      ...(cursor ? {} : { nextCursor: "2" }),
    }));
    await readServerTools("bank", port.list, {
      limits: DEFAULT_LIMITS,
      prefixed: [],
      meta: { trace: 1 },
    });
    expect(asked).toEqual([{ meta: { trace: 1 } }, { cursor: "2", meta: { trace: 1 } }]);
  });

  it("has nothing to offer for an empty list", async () => {
    expect(await read(() => ({ tools: [] }))).toMatchObject({ names: [], problems: [] });
  });

  it("leaves out a tool that runs as a task alone, and says why", async () => {
    const task = (taskSupport: string) => tool(taskSupport, { execution: { taskSupport } });
    const tools = ["required", "optional", "forbidden"].map(task);
    const { names, problems } = await read(() => ({ tools }));
    expect(names).toEqual(["optional", "forbidden"]);
    expect(problems).toMatchObject([
      {
        tool: "required",
        code: "task-required",
        message: expect.stringMatching(/not offered: its server runs it only as a task/),
      },
    ]);
  });

  it("stops at a repeated cursor and keeps what it has", async () => {
    const { names, problems, asked } = await read(() => ({ tools: [], nextCursor: "again" }));
    expect(asked).toHaveLength(2);
    expect([names, codes(problems)]).toEqual([[], [["list-too-large", undefined]]]);
  });

  it("stops after 64 pages and keeps what it has", async () => {
    let n = 0;
    const { names, problems, asked } = await read(() => {
      n++;
      return { tools: [tool(`t${n}`)], nextCursor: `${n}` };
    });
    expect([names.length, asked.length]).toEqual([64, 64]);
    expect(problems[0]?.message).toMatch(/more than 64 pages/);
  });

  it("stops at the most tools that one server may have", async () => {
    const tools = Array.from({ length: 30 }, (_, at) => tool(`t${at}`));
    const limits = { ...DEFAULT_LIMITS, maxToolsPerServer: 20 };
    const { names, problems } = await read(() => ({ tools }), limits);
    expect([names.length, codes(problems)]).toEqual([20, [["list-too-large", undefined]]]);
  });

  it("stops at 16 MiB in sum, though each tool and each page is within its limits", async () => {
    let pages = 0;
    const { names, problems, asked } = await read(() => {
      pages++;
      const tools = Array.from({ length: 10 }, (_, at) =>
        tool(`t${pages}-${at}`, { inputSchema: { type: "object", $comment: "x".repeat(200_000) } }),
      );
      return { tools, nextCursor: `${pages}` };
    });
    expect(asked).toHaveLength(9);
    expect(names).toHaveLength(83);
    expect(codes(problems)).toEqual([["list-too-large", undefined]]);
  });

  it("stops at cursors that are 16 MiB in sum", async () => {
    let pages = 0;
    const { problems, asked } = await read(() => {
      pages++;
      return { tools: [], nextCursor: "c".repeat(5_000_000) + pages };
    });
    expect(asked).toHaveLength(4);
    expect(codes(problems)).toEqual([["list-too-large", undefined]]);
  });

  it("keeps little of 64 pages of 40 MB", async () => {
    gc();
    const before = process.memoryUsage().heapUsed;
    const { list, asked } = await read(() => {
      const filler = "x".repeat(480_000);
      const tools = Array.from({ length: 83 }, (_, at) => tool(`t${at}`, { _meta: { filler } }));
      return { tools, nextCursor: String(Math.random()) };
    });
    gc();
    const grownMb = (process.memoryUsage().heapUsed - before) / 1_000_000;
    expect([asked.length, list.problems.at(0)?.code]).toEqual([1, "list-too-large"]);
    expect(grownMb).toBeLessThan(60);
  });

  it.each([[null], [{}], [{ tools: {} }], ["tools"]])("reports %o for a list", async (answer) => {
    const { problems } = await read(() => answer);
    expect(codes(problems)).toEqual([["list-failed", undefined]]);
  });

  it("leaves out tools of one name, however often it comes", async () => {
    const { names, problems } = await read(() => ({
      tools: [tool("a"), tool("b"), tool("a"), tool("a")],
    }));
    expect([names, codes(problems)]).toEqual([["b"], [["duplicate-name", "a"]]]);
  });

  it("reports entries without a name once, and not as tools of one name", async () => {
    const { names, problems } = await read(() => ({ tools: [{}, tool("a"), {}] }));
    expect([names, codes(problems)]).toEqual([["a"], [["invalid-tool", undefined]]]);
  });

  it("keeps the message about a tool short, whatever its name", async () => {
    const long = tool("n".repeat(100_000));
    const { list } = await read(() => ({ tools: [long, long] }));
    expect(JSON.stringify(list.problems).length).toBeLessThan(2_000);
  });

  it.each([
    ["has no name", tool(""), "invalid-tool"],
    ["has a name of 300 characters", tool("n".repeat(300)), "invalid-tool"],
    [
      "has a description of 200 kB",
      tool("x", { description: "d".repeat(200_000) }),
      "invalid-tool",
    ],
    [
      "is nested 10,000 deep",
      tool("x", { _meta: JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`) }),
      "invalid-tool",
    ],
    ["has no input schema", { name: "x" }, "invalid-schema"],
    [
      "has an input schema that is no object schema",
      tool("x", { inputSchema: { type: "string" } }),
      "invalid-schema",
    ],
    [
      "has an input schema that loops",
      tool("x", { inputSchema: { type: "object", $ref: "#" } }),
      "invalid-schema",
    ],
    [
      "has an output schema that is no schema",
      tool("x", { outputSchema: "any" }),
      "invalid-schema",
    ],
    [
      "has a remote reference in its output schema",
      tool("x", { outputSchema: { $ref: "https://example.com/s" } }),
      "invalid-schema",
    ],
  ])("leaves out a tool that %s, and that one alone", async (_, bad, code) => {
    const { names, problems } = await read(() => ({ tools: [tool("a"), bad, tool("b")] }));
    expect(names).toEqual(["a", "b"]);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });

  it("keeps a schema as the wire would have it, whatever the server does with the object", async () => {
    const inputSchema = { type: "object" };
    Object.defineProperty(inputSchema, "~standard", { value: {}, enumerable: false });
    const { list } = await read(() => ({ tools: [tool("a", { inputSchema })] }));
    inputSchema.type = "changed";
    expect(list.tools[0]?.inputSchema).toEqual({ type: "object" });
    expect("~standard" in (list.tools[0]?.inputSchema ?? {})).toBe(false);
  });

  it("takes an output schema of any kind", async () => {
    const { names } = await read(() => ({
      tools: [tool("a", { outputSchema: { type: "array" } })],
    }));
    expect(names).toEqual(["a"]);
  });
});

describe("a tool of the list", () => {
  it.each([
    [undefined, true],
    [{ ui: {} }, true],
    [{ ui: { visibility: ["model", "app"] } }, true],
    [{ ui: { visibility: ["app"] } }, false],
    [{ ui: { visibility: [] } }, false],
    [{ ui: { visibility: "model" } }, false],
  ])("with the _meta %o is for a model: %s", async (_meta, forModel) => {
    const { list } = await read(() => ({ tools: [tool("a", { _meta })] }));
    expect(list.tools).toMatchObject([{ forModel }]);
  });

  it("has only those members that the server sent in the right form", async () => {
    const wrong = { title: 1, annotations: "x", _meta: [] };
    const { list } = await read(() => ({ tools: [tool("a", { ...wrong, description: "d" })] }));
    expect(list.tools).toEqual([
      {
        server: "bank",
        name: "a",
        modelName: "a",
        id: "bank.a",
        description: "d",
        inputSchema: { type: "object" },
        forModel: true,
      },
    ]);
  });
});
