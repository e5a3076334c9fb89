import { join } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** A package as an edge runtime gets it: one file, its dependencies left to their own promises. */
async function bundle(folder: string) {
  const built = await rolldown({
    input: join(ROOT, "packages", folder, "src/index.ts"),
    external: /^[^.#/]/,
    platform: "browser",
    resolve: { conditionNames: ["@toolrail/source"] },
    logLevel: "silent",
  });
  const { output } = await built.generate();
  return output[0];
}

describe("packages/ai-sdk on an edge runtime", () => {
  it("imports only the core: no part of Node, and not the SDK", async () => {
    const { imports, dynamicImports } = await bundle("ai-sdk");
    const packages = [...imports, ...dynamicImports].map((name) => name.split("/").slice(0, 2));
    expect([...new Set(packages.map((parts) => parts.join("/")))]).toEqual(["@toolrail/core"]);
  });

  it("generates no code, and needs nothing that only Node has", async () => {
    const { code } = await bundle("ai-sdk");
    expect(code).toContain("withChaining");
    expect(code).not.toMatch(/new Function|\beval\(|\brequire\(|\bprocess\.|\bBuffer\b|__dirname/);
  });
});
