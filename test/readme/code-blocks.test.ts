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

const readmes = globSync(["README.md", "{packages,examples}/*/README.md"], { cwd: ROOT });

it.each(readmes.filter((readme) => blocksOf(readme).length > 0))(
  "The code of %s stands in tests, where it runs, with the same imports.",
  (readme) => {
    const folder = dirname(readme);
    const self = `@toolrail/${basename(folder)}`;
    const files = globSync("test/**/*.{ts,tsx}", { cwd: join(ROOT, folder) });
    const tests = files.map((file) => read(join(folder, file)));
    for (const code of blocksOf(readme)) {
      const places = tests.filter((test) => statementsOf(test).includes(statementsOf(code)));
      expect(places, `No file in ${folder}/test holds this:\n${code}`).not.toEqual([]);
      const imported = places.flatMap((test) => importsOf(test, self));
      expect(imported).toEqual(expect.arrayContaining(importsOf(code, self)));
    }
  },
);
