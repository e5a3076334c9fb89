import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { graph } from "../src/deployed/agent.ts";

it("The graph of the guide is refused without its secret, and opened while its server is down.", async () => {
  vi.stubEnv("TOOLRAIL_SECRET", "");
  await expect(graph()).rejects.toThrow("Set TOOLRAIL_SECRET");
  vi.stubEnv("TOOLRAIL_SECRET", "a secret of at least 32 characters");
  vi.stubEnv("SHOP_URL", "http://127.0.0.1:9/mcp");
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(Object.keys((await graph()).nodes)).toContain("model_request");
  expect(warn.mock.calls.flat().join()).toContain('a problem with the server "shop"');
});

it("The configuration of the guide names its graph.", () => {
  const page = readFileSync(new URL("../../../docs/deploying.md", import.meta.url), "utf8");
  const [, json = ""] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
  const [file, name] = JSON.parse(json).graphs.agent.replace("./", "").split(":");
  expect(page).toContain(`// ${file}\n`);
  expect(page).toContain(`export const ${name} = `);
});
