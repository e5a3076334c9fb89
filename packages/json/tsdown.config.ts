import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    schema: "src/schema/index.ts",
    validator: "src/schema/validator.ts",
  },
  deps: { onlyBundle: [] },
});
