import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { PACKAGES, readEntries } from "./read-sources.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The files of a package that users import or run. */
function entriesOf(folder: string): string[] {
  const files = [...readEntries().values(), join("packages", "cli", "src", "bin.ts")];
  return files.filter((file) => file.startsWith(join("packages", folder, "src")));
}

/** What bundled entries still import from elsewhere. */
async function importsOf(entries: readonly string[]): Promise<string[]> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file, join(ROOT, file)])),
    external: /^[^.#/]/,
    platform: "neutral",
    resolve: { conditionNames: ["@toolrail/source"] },
    logLevel: "silent",
  });
  const { output } = await bundle.generate();
  const imports = output.flatMap((chunk) =>
    chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [],
  );
  const own = new Set(output.map(({ fileName }) => fileName));
  return [...new Set(imports)].filter((name) => !own.has(name));
}

function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

describe.each(PACKAGES)("packages/%s", (folder) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8"));
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

  it("imports only declared dependencies, and Node only in commands and tests", async () => {
    const imports = await importsOf(entriesOf(folder));
    const builtins = imports.filter((name) => isBuiltin(name));
    if (folder !== "cli" && folder !== "conformance") expect(builtins).toEqual([]);
    const others = imports.filter((name) => !isBuiltin(name)).map(packageOf);
    expect(declared).toEqual(expect.arrayContaining(others));
  });

  it("declares peers for frameworks and for the core, which only the command brings along", () => {
    const frameworks = /^(ai|langchain|@langchain\/.*|@openai\/.*)$/;
    const dependencies = Object.keys(manifest.dependencies ?? {});
    if (folder !== "cli") expect(dependencies.filter((name) => frameworks.test(name))).toEqual([]);
    const brings = dependencies.includes("@toolrail/core");
    const expects = Object.hasOwn(manifest.peerDependencies ?? {}, "@toolrail/core");
    expect({ brings, expects }).toEqual({
      brings: folder === "cli",
      expects: !["cli", "core", "json"].includes(folder),
    });
  });
});

describe("packages/core", () => {
  it("imports no framework and no MCP SDK", async () => {
    const imports = await importsOf(["packages/core/src/index.ts"]);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.join(" ")).not.toMatch(
      /modelcontextprotocol|langchain|@ai-sdk|@openai|(^| )ai( |$)/,
    );
  });
});

describe("sources", () => {
  const sources = PACKAGES.flatMap((folder) =>
    readdirSync(join(ROOT, "packages", folder, "src"), { recursive: true })
      .map((file) => join("packages", folder, "src", String(file)))
      .filter((file) => file.endsWith(".ts")),
  );
  const contents = sources.map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
  const filesWith = (pattern: RegExp) =>
    contents.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it("disable no rule", () => {
    expect(filesWith(/biome-ignore|@ts-(ignore|expect-error|nocheck)/)).toEqual([]);
  });

  it("use nothing of the language or the platform that Node 20 lacks, except for the command", () => {
    const newer = filesWith(
      /(Map|Object)\.groupBy\(|URL\.parse\(|withResolvers|Promise\.try\(|fromAsync/,
    );
    expect(newer.filter((file) => !file.startsWith("packages/cli"))).toEqual([]);
  });

  it("export by name", () => {
    expect(filesWith(/export \*/)).toEqual([]);
  });
});
