import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    schema: "src/schema/index.ts",
    validator: "src/schema/validator.ts",
    cel: "src/cel/index.ts",
    "validator.node": "src/schema/validator.node.ts",
    "validator.edge": "src/schema/validator.edge.ts",
  },
  deps: { onlyBundle: [], neverBundle: ["#validator"] },
});
