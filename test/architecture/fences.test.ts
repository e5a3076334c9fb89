import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FENCES } from "./fences.ts";
import { findCircles, type Import, readEntries, readExports, readSources } from "./read-sources.ts";

const sources = readSources();
const entries = readEntries();

/** `packages/core/src/call/make-call.ts` is of the part `core/call`, `packages/core/src/errors.ts` of `core`. A package without such parts is one. */
function partOf(file: string): string {
  const [, name = "", , ...rest] = file.split("/");
  const part = rest.length > 1 ? `${name}/${rest[0]}` : name;
  return part in FENCES || name === "core" ? part : name;
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

/** What users copy: pages and examples. */
const SHOWN = ["README.md", "docs/*.md", "packages/*/README.md", "test/readme/*.ts"];
const USERS = [...SHOWN, "examples/*/{src,web}/**/*.{ts,tsx}", "packages/*/src/**/*.ts"];

function read(paths: readonly string[]): string {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  return globSync([...paths], { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
}

function namesOf(entry: string): readonly string[] {
  const source = sources.get(entries.get(entry) ?? "");
  return source ? readExports(source) : [];
}

/** The names that someone imports from an entry. */
function importedFrom(entry: string): ReadonlySet<string> {
  const lists = read(USERS).matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)";/gm);
  const names = [...lists].filter(([, , from]) => from === entry);
  return new Set(names.flatMap(([, list = ""]) => list.match(/\w+/g) ?? []));
}

/** The types of what functions take and return, for who writes declarations: see scripts/pack-consumer-types.ts. */
const IN_DECLARATIONS = [
  ...["TypedHost", "UserView", "CallRequest", "Limits", "ReceivedInput", "Store"],
];

describe.each([
  ["@toolrail/core", 40],
  ["@toolrail/core/adapter", 40],
])("the face %s", (entry, most) => {
  const names = namesOf(entry);

  it(`has at most ${most} names`, () => {
    expect(names.length).toBeGreaterThan(10);
    expect(names.length).toBeLessThanOrEqual(most);
  });

  it("has no name without a user: an example, a page, a package, or who writes declarations", () => {
    const used = importedFrom(entry);
    expect(names.filter((name) => !used.has(name) && !IN_DECLARATIONS.includes(name))).toEqual([]);
  });
});
