import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OutputAsset, type OutputChunk, rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it, onTestFinished } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const ENTRY = join(ROOT, "packages/core/src/index.ts");

interface Bundle {
  readonly code: string;
  readonly modules: readonly string[];
}

/** The whole core as a bundler makes it for a runtime. */
async function bundleFor(condition: string): Promise<Bundle> {
  const build = await rolldown({
    input: ENTRY,
    platform: "neutral",
    resolve: {
      conditionNames: ["@toolrail/source", condition, "import"],
      mainFields: ["module", "main"],
    },
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
  const [chunk] = output;
  return { code: chunk.code, modules: Object.keys(chunk.modules) };
}

const CF_WORKER = import.meta.resolve("@modelcontextprotocol/client/validators/cf-worker");

/** A program that creates a host without a validator, then makes one call through another host, and refuses another call. */
const PROGRAM = `
import { createHost, modelView } from "./core.mjs";
import { CfWorkerJsonSchemaValidator } from ${JSON.stringify(CF_WORKER)};
const inputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const results = {
  "tools/list": { tools: [{ name: "double", inputSchema }] },
  "tools/call": { content: [{ type: "text", text: "4" }] },
};
const maths = {
  list: async () => results["tools/list"],
  call: async () => results["tools/call"],
};
await createHost({ servers: { maths } }).catch(({ code, message }) => console.log(code, message));
const host = await createHost({ servers: { maths }, validator: new CfWorkerJsonSchemaValidator() });
const good = await host.run({ tool: "double", arguments: { n: 2 } });
const bad = await host.run({ tool: "double", arguments: { n: "2" } });
console.log(good.ended, modelView(good).content[0].text, bad.ended);
`;

describe.each(["workerd", "edge-light", "browser"])("the core for %s", (condition) => {
  it("contains no import and no Node", async () => {
    const { code } = await bundleFor(condition);
    expect(code).not.toMatch(/["']node:|^import /m);
  });

  it("makes and refuses calls with a validator of an MCP SDK if generating code is forbidden", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrail-edge-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "core.mjs"), (await bundleFor(condition)).code);
    writeFileSync(join(folder, "main.mjs"), PROGRAM);
    const flags = ["--disallow-code-generation-from-strings"];
    const said = execFileSync(process.execPath, [...flags, join(folder, "main.mjs")], {
      encoding: "utf8",
    });
    expect(said.trim().split("\n")).toEqual([
      expect.stringMatching(/^invalid-options .*CfWorkerJsonSchemaValidator/),
      "complete 4 invalid-arguments",
    ]);
  });
});

/** The chunks of a bundle that its entry imports, and those that they import: what is loaded before anything is used. */
function chunksAtOnce(output: readonly (OutputAsset | OutputChunk)[]): Set<OutputChunk> {
  const chunks = output.filter((part) => part.type === "chunk");
  const atOnce = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const { imports } of atOnce) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) atOnce.add(chunk);
  }
  return atOnce;
}

/** The servers of connect as a bundler makes them for a page or a worker. */
async function bundleConnect(condition: string) {
  const missing: unknown[] = [];
  const build = await rolldown({
    input: "entry",
    platform: "browser",
    resolve: { conditionNames: ["@toolrail/source", condition, "import"] },
    // Other bundlers fail at an import that they do not find, even if nothing uses it.
    onLog: (_, { code, message }) => void (code === "UNRESOLVED_IMPORT" && missing.push(message)),
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? join(ROOT, "entry.js") : null),
        load: (id) => (id === join(ROOT, "entry.js") ? CONNECT : null),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm" });
  return { missing, output };
}

/** A program that starts another, as a page might try to. */
const STARTING = `
import { stdio } from "./entry.js";
const signal = new AbortController().signal;
await stdio("node").client({}, { signal, elicitation: false }).catch(({ code, message }) => console.log(code, message));
`;

describe("servers by their addresses, for a page and a worker", () => {
  it.each(["browser", "workerd"])(
    "are bundled for %s without Node, with SDK v2 and with v1",
    async (condition) => {
      const { missing, output } = await bundleConnect(condition);
      const chunks = output.filter((part) => part.type === "chunk");
      const own = new Set(chunks.map(({ fileName }) => fileName));
      const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
      expect(imports.filter((name) => !own.has(name))).toEqual([]);
      expect(missing).toEqual([]);
      const atOnce = [...chunksAtOnce(output)].flatMap((chunk) => Object.keys(chunk.modules));
      expect(atOnce.some((id) => id.endsWith("connect/http.ts"))).toBe(true);
      expect(atOnce.filter((id) => /modelcontextprotocol|node:/.test(id))).toEqual([]);
    },
  );

  it("say there that a program needs Node", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrail-page-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    for (const part of (await bundleConnect("browser")).output) {
      if (part.type === "chunk") writeFileSync(join(folder, part.fileName), part.code);
    }
    writeFileSync(join(folder, "main.js"), STARTING);
    const said = execFileSync(process.execPath, [join(folder, "main.js")], { encoding: "utf8" });
    expect(said).toMatch(/^invalid-options .*only Node can/);
  });
});

/** The packages that code imports dynamically, outside of a `try` of the same function. */
function importsWithoutTry(node: unknown, isTried = false): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, source, block, ...rest } = node as Record<string, unknown>;
  const isFunction = /Function/.test(String(type));
  const inner = isTried && !isFunction;
  const found = Object.values({ ...rest, source }).flatMap((part) =>
    importsWithoutTry(part, inner),
  );
  const tried = importsWithoutTry(block, type === "TryStatement" || inner);
  const name = Object(source).value;
  const isOwn = type === "ImportExpression" && !inner && typeof name === "string";
  return [...(isOwn ? [name] : []), ...tried, ...found];
}

describe("the SDKs, of which an application installs one", () => {
  const files = globSync("packages/core/src/connect/*.ts", { cwd: ROOT });

  it.each(files)(
    "are imported by %s in a `try` of the same function, without which Turbopack fails if one is missing",
    (file) => {
      const program = parseAst(readFileSync(join(ROOT, file), "utf8"), { lang: "ts" });
      const untried = importsWithoutTry(program);
      expect(untried.filter((name) => name.startsWith("@modelcontextprotocol/"))).toEqual([]);
    },
  );
});

const CONNECT = 'export { fromConfig, http, stdio } from "./packages/core/src/connect/index.ts";';
