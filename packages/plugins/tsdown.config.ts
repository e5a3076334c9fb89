import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    once: "src/once/index.ts",
    otel: "src/otel/index.ts",
    postgres: "src/postgres/index.ts",
    references: "src/references/index.ts",
    rules: "src/rules/index.ts",
  },
});
