import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", engine: "src/engine.ts", flow: "src/flow/index.ts" },
});
