import { rmSync } from "node:fs";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import SummaryReporter from "./scripts/summary-reporter.ts";

/** What takes real processes, a browser, a database server or a long time. */
const SLOW = "**/*.slow.test.ts";

// Tests run on src/, never on dist/: this condition picks `./src` in each package's exports.
const conditions = ["@toolrail/source"];

// Vitest keeps the results of earlier type checks over an install, and then reports errors long since fixed.
rmSync(new URL("dist/tsconfig.tmp.tsbuildinfo", import.meta.resolve("vitest/package.json")), {
  force: true,
});

/** `vitest run` runs the quick tests, and `vitest run --mode slow` the others. */
export default defineConfig(({ mode }) => {
  const isSlow = mode === "slow";

  function project(
    name: string,
    { folders, setup = [] }: { readonly folders: readonly string[]; readonly setup?: string[] },
  ): TestProjectInlineConfiguration {
    return {
      extends: true,
      ssr: {
        resolve: {
          conditions: [...conditions, "node", "development|production"],
          externalConditions: conditions,
        },
      },
      test: {
        name,
        server: { deps: { external: [/\/dist\//] } },
        setupFiles: ["scripts/file-time.ts", ...setup],
        include: folders.map((folder) => `${folder}/test/${isSlow ? SLOW : "**/*.test.ts"}`),
        exclude: [...configDefaults.exclude, ...(isSlow ? [] : [SLOW])],
      },
    };
  }

  // `tsc`, which `npm test` begins with, fails for the same mistakes. Here each assertion is a test with a name.
  const types: TestProjectInlineConfiguration = {
    extends: true,
    test: {
      name: "types",
      typecheck: { enabled: true, only: true, include: ["packages/*/test/**/*.test-d.ts"] },
    },
  };

  return {
    test: {
      // The files of a project share a process for each core, and what they import is read once in it: a test puts back
      // what it changes outside of itself.
      isolate: false,
      maxWorkers: "100%",
      restoreMocks: true,
      unstubEnvs: true,
      // Real processes and servers start in some tests, on machines that may have other work: no wait ends
      // early there. What hangs fails all the same.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      teardownTimeout: 60_000,
      expect: { poll: { timeout: 60_000 } },
      // Many tests make mistakes on purpose; what a host says of them is tested in one place.
      onConsoleLog: (log) => !log.startsWith("Toolrail: "),
      reporters: ["default", new SummaryReporter(isSlow ? {} : { maxFileMs: 30_000 })],
      projects: [
        // The core knows no framework: its whole suite runs with the frameworks taken away.
        project("core", { folders: ["packages/core"], setup: ["test/without-frameworks.ts"] }),
        project("others", { folders: ["packages/!(core)", "examples/*", "."] }),
        ...(isSlow ? [types] : []),
      ],
    },
  };
});
