import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    schema: "src/schema/index.ts",
    validator: "src/schema/validator.ts",
    cel: "src/cel/index.ts",
  },
  deps: { onlyBundle: [] },
});
