import { existsSync, readdirSync, rmSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import SummaryReporter from "./scripts/summary-reporter.ts";

// Tests run on src/, never on dist/: this condition picks `./src` in each package's exports.
const conditions = ["@toolrail/source"];

// Vitest keeps the results of earlier type checks over an install, and then reports errors long since fixed.
rmSync(new URL("dist/tsconfig.tmp.tsbuildinfo", import.meta.resolve("vitest/package.json")), {
  force: true,
});

function project(name: string, root: string): TestProjectInlineConfiguration {
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
      root,
      setupFiles:
        name === "core" ? [`${import.meta.dirname}/${root}/test/without-frameworks.ts`] : [],
      include: root === "." ? ["test/**/*.test.ts"] : ["test/**/*.test.ts", "test/**/*.test.tsx"],
      typecheck: {
        enabled: true,
        include: ["test/**/*.test-d.ts"],
        tsconfig: `${import.meta.dirname}/tsconfig.json`,
      },
    },
  };
}

const folders = ["packages", "examples"].flatMap((group) =>
  readdirSync(group)
    .map((name) => `${group}/${name}`)
    .filter((path) => existsSync(`${path}/test`)),
);

export default defineConfig({
  test: {
    // Real processes and servers start in some tests, on machines that may have other work: no wait ends
    // early there. What hangs fails all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", new SummaryReporter()],
    projects: [
      ...folders.map((path) => project(path.replace(/^packages\//, ""), path)),
      project("repository", "."),
    ],
  },
});
