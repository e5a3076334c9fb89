import { readdirSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";

vi.mock("langchain", () => ({}));

it("The package imports langchain nowhere, not even its types.", () => {
  const folder = new URL("../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const source = readFileSync(new URL(file, folder), "utf8");
    expect(source, file).not.toMatch(/from "langchain(\/|")|import\("langchain/);
  }
});

it("Graphs built by hand work without langchain.", async () => {
  vi.resetModules(); // Another file may have imported the package with langchain.
  const { chainMiddleware, chainNode, createTools } = await import("../src/index.ts");
  expect([chainMiddleware, chainNode, createTools].map((one) => typeof one)).toEqual(
    Array(3).fill("function"),
  );
});
