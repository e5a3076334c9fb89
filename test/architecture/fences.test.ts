import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EXPORTS } from "./exports.ts";
import { FENCES } from "./fences.ts";
import { findCircles, type Import, readEntries, readExports, readSources } from "./read-sources.ts";

const sources = readSources();
const entries = readEntries();

/** `packages/core/src/call/make-call.ts` is of the part `core/call`, `packages/core/src/json.ts` of `core`. */
function partOf(file: string): string {
  const [, name = "", , ...rest] = file.split("/");
  return rest.length > 1 ? `${name}/${rest[0]}` : name;
}

/** The name that the table of fences has for an import. */
function targetOf({ specifier, file }: Import): string {
  if (!specifier.startsWith(".")) return specifier;
  return file !== undefined && sources.has(file) ? partOf(file) : "../package.json";
}

/** Our parts and entries are allowed by their whole names, other packages with all their entries. */
function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => {
    if (one.endsWith("*")) return target.startsWith(one.slice(0, -1));
    const isOurs = one in FENCES || one.startsWith("@toolrail/");
    return target === one || (!isOurs && target.startsWith(`${one}/`));
  });
}

const broken = [...sources.values()].flatMap(({ file, imports }) => {
  const part = partOf(file);
  return imports.flatMap((one) => {
    const target = targetOf(one);
    if (target === part || isAllowed(target, FENCES[part] ?? [])) return [];
    return [{ file, line: `${part} → ${target}` }];
  });
});

describe("the fences between parts", () => {
  it("name every part of every package, and no other", () => {
    const parts = new Set([...sources.keys()].map(partOf));
    expect([...parts].toSorted()).toEqual(Object.keys(FENCES).toSorted());
  });

  it("are kept by every import, types included", () => {
    expect(broken).toEqual([]);
  });

  it("leave no circle of files that import each other when they run", () => {
    expect(findCircles(sources)).toEqual([]);
  });
});

describe.each([...entries])("the entry %s", (entry, file) => {
  it("exports the names that are listed for it, and no other", () => {
    const source = sources.get(file);
    expect(source && readExports(source)).toEqual([...(EXPORTS[entry] ?? [])].toSorted());
  });
});

const PAGES = ["README.md", "docs/*.md", "packages/*/README.md", "test/readme/examples.ts"];
/** What users copy: pages and examples. */
const SHOWN = [...PAGES, "examples/*/{src,web}/**/*.{ts,tsx}"];

function read(paths: readonly string[]): string[] {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  return globSync([...paths], { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
}

describe("the public face", () => {
  const names = EXPORTS["@toolrail/core"] ?? [];

  it("has at most 45 names", () => {
    expect(names.length).toBeLessThanOrEqual(45);
  });

  it("has no name without a user: an example, a page, another package, or who writes declarations", () => {
    const imported = [...read(SHOWN), ...read(["packages/*/src/**/*.ts"])].flatMap((text) => [
      ...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "@toolrail\/core";/gm),
    ]);
    const used = new Set(imported.flatMap(([, list = ""]) => list.match(/\w+/g) ?? []));
    const inDeclarations = ["TypedHost", "UserView"]; // What `createHost` and `userView` return, in scripts/pack-consumer-types.ts.
    expect(names.filter((name) => !used.has(name) && !inDeclarations.includes(name))).toEqual([]);
  });
});

it("No page and no example imports what Toolrail's own packages share.", () => {
  expect(
    read(SHOWN)
      .join("")
      .match(/from "@toolrail\/core\/(plugin|internal)"/g),
  ).toBeNull();
});

describe("the face for adapters", () => {
  const names = EXPORTS["@toolrail/core/adapter"] ?? [];

  it("has at most 30 names", () => {
    expect(names.length).toBeLessThanOrEqual(30);
  });

  it("suffices for a whole adapter, which imports of the host only this and the public face", () => {
    const files = [...sources.values()].filter(({ file }) => partOf(file) === "openai-agents");
    const imported = files.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
    const ofHost = imported.filter((specifier) => specifier.startsWith("@toolrail/core"));
    expect([...new Set(ofHost)].toSorted()).toEqual(["@toolrail/core", "@toolrail/core/adapter"]);
  });
});
