import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The folders of packages. Of one that is gone, git leaves what it ignores. */
export const PACKAGES = readdirSync(join(ROOT, "packages")).filter((name) =>
  existsSync(join(ROOT, "packages", name, "package.json")),
);

/** One `import` or `export … from` of a source file. */
export interface Import {
  /** As it is written: `./json.ts`, `@toolrail/core`, `ai`. */
  readonly specifier: string;
  /** The source file of this repository that it names. `undefined` for other packages. */
  readonly file: string | undefined;
  /** True if it is erased when types are. */
  readonly isType: boolean;
}

export interface Source {
  /** From the root of the repository: `packages/core/src/json.ts`. */
  readonly file: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const STATIC = /^(?:import|export)\s+(type\s+)?((?:[\w*{][^;"]*?)\s+from\s+)?"([^"]+)"/gm;
const LAZY = /\bimport\("([^"]+)"\)/g;

/** Reads all sources of all packages with what they import, types included. */
export function readSources(): ReadonlyMap<string, Source> {
  const files = PACKAGES.flatMap((name) =>
    readdirSync(join(ROOT, "packages", name, "src"), { recursive: true })
      .map((file) => join("packages", name, "src", String(file)))
      .filter((file) => file.endsWith(".ts")),
  );
  const entries = readEntries();
  return new Map(files.map((file) => [file, readSource(file, entries)]));
}

function readSource(file: string, entries: ReadonlyMap<string, string>): Source {
  const text = readFileSync(join(ROOT, file), "utf8");
  const resolve = (specifier: string) => {
    if (!specifier.startsWith(".")) return entries.get(specifier);
    return relative(ROOT, join(ROOT, dirname(file), specifier));
  };
  const fixed = [...text.matchAll(STATIC)].map(([, type, names = "", specifier = ""]) => {
    const inner = /^\{([\s\S]*)\}/.exec(names)?.[1];
    const areTypes = inner?.split(",").every((name) => !name.trim() || /^\s*type\s/.test(name));
    const isType = type !== undefined || (inner !== undefined && areTypes === true);
    return { specifier, file: resolve(specifier), isType };
  });
  const lazy = [...text.matchAll(LAZY)].map(([, specifier = ""]) => {
    return { specifier, file: resolve(specifier), isType: false };
  });
  return { file, text, imports: [...fixed, ...lazy] };
}

/** The source file behind each entry of our packages: `@toolrail/core/adapter`. */
export function readEntries(): ReadonlyMap<string, string> {
  return new Map(
    PACKAGES.flatMap((folder) => {
      const path = join(ROOT, "packages", folder, "package.json");
      const { name, exports = {} } = JSON.parse(readFileSync(path, "utf8"));
      return Object.entries<Record<string, string>>(exports).flatMap(([entry, conditions]) => {
        const source = conditions["@toolrail/source"];
        if (source === undefined) return [];
        return [[join(name, entry), join("packages", folder, source)] as const];
      });
    }),
  );
}

/** The names that an entry exports. Entries export by name and from other files alone. */
export function readExports({ text }: Source): readonly string[] {
  const lists = [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)];
  const named = lists.flatMap(([, names = ""]) =>
    names.split(",").flatMap(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, "")
          .replace(/.*\sas\s+/, "") || [],
    ),
  );
  const own = [
    ...text.matchAll(/^export\s+(?:async\s+)?(?:function|const|interface|type|class)\s+(\w+)/gm),
  ];
  return [...named, ...own.map(([, name = ""]) => name)].toSorted();
}

/** Groups of files that import each other in a circle, imports of types aside. */
export function findCircles(sources: ReadonlyMap<string, Source>): readonly (readonly string[])[] {
  const state = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    const own = { index: state.size, low: state.size, isOpen: true };
    state.set(file, own);
    open.push(file);
    for (const { file: next, isType } of sources.get(file)?.imports ?? []) {
      if (isType || next === undefined || !sources.has(next)) continue;
      const other = state.get(next) ?? visit(next);
      if (other.isOpen) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const circle = open.splice(open.indexOf(file));
      for (const one of circle) Object.assign(state.get(one) ?? {}, { isOpen: false });
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return own;
  };
  for (const file of sources.keys()) if (!state.has(file)) visit(file);
  return circles;
}
