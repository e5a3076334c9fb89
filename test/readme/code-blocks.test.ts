import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const IMPORT = /^import (?:type )?\{([^}]*)\} from "([^"]+)";.*$/gm;

/** The statements of code. How they are indented is the matter of the file they stand in. */
function statementsOf(code: string): string {
  return code.replaceAll(IMPORT, "").replaceAll(/\s+/g, " ").trim();
}

/** What code imports from other packages: `createHost from @toolrail/core`. */
function importsOf(code: string, self: string): string[] {
  return [...code.matchAll(IMPORT)]
    .filter(([, , from = ""]) => !from.startsWith(".") && !from.startsWith(self))
    .flatMap(([, names = "", from]) =>
      names.split(",").map((name) => `${name.replace("type ", "").trim()} from ${from}`),
    );
}

// A block that cannot run in a test says so: ```ts no-run
const blocksOf = (readme: string) =>
  [...read(readme).matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);

const pages = globSync(["README.md", "docs/*.{md,txt}", "{packages,examples}/*/README.md"], {
  cwd: ROOT,
  exclude: ["docs/nextjs.md"], // Its files are built by `npm run check:next`.
});

/** Where the code of a page runs: in the tests beside it, and that of a guide in any. */
function testsOf(page: string): string[] {
  const folder = dirname(page);
  const anywhere = ["test/**/*.ts", "packages/*/test/**/*.ts", "examples/*/{src,test}/**/*.ts"];
  const beside = join(folder, "test/**/*.{ts,tsx}");
  return globSync(folder === "docs" ? anywhere : beside, {
    cwd: ROOT,
    exclude: ["**/node_modules"],
  }).map(read);
}

it.each(pages.filter((page) => blocksOf(page).length > 0))(
  "The code of %s stands in tests, where it runs, with the same imports.",
  (page) => {
    const self = `@toolrail/${basename(dirname(page))}`;
    const tests = testsOf(page);
    for (const code of blocksOf(page)) {
      const places = tests.filter((test) => statementsOf(test).includes(statementsOf(code)));
      expect(places, `No test holds this code of ${page}:\n${code}`).not.toEqual([]);
      const imported = places.flatMap((test) => importsOf(test, self));
      expect(imported).toEqual(expect.arrayContaining(importsOf(code, self)));
    }
  },
);
