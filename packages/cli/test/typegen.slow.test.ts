import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Tool } from "@toolrail/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeModule } from "../src/typegen/write-module.ts";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";

const SERVER = serveShop();
const TSC = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

let folder: string;
beforeAll(async () => {
  // Beside the package, where imports of the core are found as in a user's project.
  folder = await mkdtemp(join(import.meta.dirname, "../.typegen-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What `tsc` has to say of some files under `strict`; empty where it finds no mistake. */
async function typeCheck(...files: string[]): Promise<string> {
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: "nodenext",
      target: "es2023",
      lib: ["es2024", "dom"],
      types: ["node"],
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      customConditions: ["@toolrail/source"],
    },
    files,
  };
  const project = join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify(config));
  const run = promisify(execFile)(process.execPath, [TSC, "-p", project]);
  return run.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

function tool(name: string, extra: Partial<Tool>): Tool {
  const id = `odd.${name}`;
  const inputSchema = { type: "object" };
  return { server: "odd", name, id, modelName: name, inputSchema, forModel: true, ...extra };
}

describe("toolrail typegen", () => {
  it("toolrail typegen writes a module that type-checks, and types the calls of a host.", async () => {
    const out = join(folder, "tools.ts");
    const { code, stdout } = await runHere(["typegen", ...SERVER, "--out", out]);
    expect(code).toBe(0);
    expect(stdout).toBe(`✔ ${out}: 10 tools, 2 with a parser\n`);
    const use = join(folder, "use.ts");
    await writeFile(
      use,
      `import { createHost, type Server } from "@toolrail/core";
import { schemas, type ToolTypes } from "./tools.ts";
declare const client: Server;
const host = await createHost({ servers: { shop: client }, schemas });
const args: ToolTypes["shop.add"]["arguments"] = { a: 1, b: 2 };
const { output } = await host.call({ tool: "shop.add", arguments: { ...args } });
if (output.status === "valid") {
  const sum: number = output.value.sum;
  // @ts-expect-error It is a number.
  const text: string = output.value.sum;
  console.log(sum, text);
}
// @ts-expect-error It needs b.
const less: ToolTypes["shop.add"]["arguments"] = { a: 1 };
// @ts-expect-error It needs numbers.
await host.call({ tool: "shop.add", arguments: { a: "1", b: "2" } });
console.log(less);
`,
    );
    expect(await typeCheck(out, use)).toBe("");
  });

  it("toolrail typegen prints the module if no file is named, and one document with --json.", async () => {
    const { stdout } = await runHere(["typegen", ...SERVER]);
    expect(stdout).toMatch(/^\/\/ Written by `toolrail typegen`/);
    const json = await runHere(["typegen", ...SERVER, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ tools: 10, schemas: 2, untyped: [] });
  });

  it("toolrail typegen counts a file that cannot be written as misuse.", async () => {
    const { code, stderr } = await runHere(["typegen", ...SERVER, "--out", "/no/tools.ts"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--out /no/tools.ts cannot be written");
  });
});

describe("a generated module", () => {
  it("A generated module holds no code of the server, and checks as the schemas say.", async () => {
    const outputSchema = {
      $id: "https://example.com/tree",
      title: "Tree; globalThis.stolen = 1",
      description: "*/ globalThis.stolen = 2; /*",
      type: "object",
      properties: {
        name: { type: "string", tsType: "string; globalThis.stolen = 3" },
        children: { type: "array", items: { $ref: "#" } },
        title: { $ref: "#/$defs/label" },
        odd: { enum: ["'\"\n`$", 1, null] },
        '"]: 1; globalThis.stolen = 4; ["': { type: "string" },
      },
      required: ["name"],
      $defs: { label: { type: ["string", "null"], tsEnumNames: ["x = 1; globalThis.stolen = 5"] } },
    };
    const tools = [
      tool("tree", { outputSchema, description: "*/ globalThis.stolen = 6; /*" }),
      tool(`q"]; globalThis.stolen = 7; ["`, { outputSchema: { type: "object" } }),
      tool("__proto__", {
        outputSchema: { type: "object", properties: JSON.parse('{"__proto__":{"type":"string"}}') },
      }),
    ];
    const { source, untyped } = await writeModule(tools);
    expect(untyped).toEqual([]);
    const file = join(folder, "hostile.ts");
    await writeFile(file, source);
    const use = join(folder, "use-hostile.ts");
    await writeFile(
      use,
      `import type { ToolTypes } from "./hostile.ts";
const tree: ToolTypes["odd.tree"]["result"] = { name: "a", children: [{ name: "b" }], title: null };
// @ts-expect-error A name is a text.
const bad: ToolTypes["odd.tree"]["result"] = { name: 1 };
console.log(tree, bad);
`,
    );
    expect(await typeCheck(file, use)).toBe("");
    const { schemas } = await import(pathToFileURL(file).href);
    expect(globalThis).not.toHaveProperty("stolen");
    const validate = schemas["odd.tree"].output["~standard"].validate;
    expect(validate({ name: "a", children: [{ name: "b" }] })).toHaveProperty("value");
    expect(validate({ name: "a", children: [{}] })).toHaveProperty("issues");
    expect(Object.keys(schemas)).toContain("odd.__proto__");
  });

  it("A generated module types tuples, and what only looks like a reference or a keyword, as JSON Schema means them.", async () => {
    const { source, untyped } = await writeModule([
      tool("pair", {
        outputSchema: {
          type: "object",
          properties: {
            pair: {
              type: "array",
              prefixItems: [{ type: "string" }, { type: "number" }],
              minItems: 2,
              items: false,
            },
            link: { type: "object", default: { $ref: "#/none" }, examples: [{ $ref: "#/none" }] },
          },
          required: ["pair"],
          extends: { $ref: "#/none" },
        },
      }),
    ]);
    expect(untyped).toEqual([]);
    const file = join(folder, "pair.ts");
    await writeFile(file, source);
    const use = join(folder, "use-pair.ts");
    await writeFile(
      use,
      `import type { ToolTypes } from "./pair.ts";
const good: ToolTypes["odd.pair"]["result"] = { pair: ["a", 1] };
// @ts-expect-error The second one is a number.
const bad: ToolTypes["odd.pair"]["result"] = { pair: ["a", "b"] };
console.log(good, bad);
`,
    );
    expect(await typeCheck(file, use)).toBe("");
  });

  it("A generated module leaves a tool untyped whose schema cannot be written, and types the others.", async () => {
    const { source, untyped } = await writeModule([
      tool("remote", { outputSchema: { type: "object", properties: { a: { $ref: "./b.json" } } } }),
      tool("plain", { outputSchema: { type: "object", properties: { a: { type: "number" } } } }),
    ]);
    expect(untyped).toEqual(["odd.remote"]);
    expect(source).toContain('"odd.remote": {\n    output: toStandardSchema<unknown>');
    const file = join(folder, "remote.ts");
    await writeFile(file, source);
    expect(await typeCheck(file)).toBe("");
  });

  it("The module of servers without tools is empty, and type-checks.", async () => {
    const { source } = await writeModule([]);
    const file = join(folder, "empty.ts");
    await writeFile(file, source);
    expect(await typeCheck(file)).toBe("");
  });

  it("What would hide or reorder code stands in the module as a code, and means the same.", async () => {
    const words = "A \u001b[2J \u009b31m \u202e b";
    const properties = { [words]: { const: words } };
    const outputSchema = { type: "object", properties, required: [words] };
    const sly = tool("sly", { description: words, outputSchema });
    const { source } = await writeModule([sly]);
    expect(source).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    const file = join(folder, "sly.ts");
    await writeFile(file, source);
    expect(await typeCheck(file)).toBe("");
    const { schemas } = await import(pathToFileURL(file).href);
    const { validate } = schemas[sly.id].output["~standard"];
    expect(await validate({ [words]: words })).not.toHaveProperty("issues");
    expect(await validate({ [words]: "A b" })).toHaveProperty("issues");
  });
});
