import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", engine: "src/engine.ts" },
});
