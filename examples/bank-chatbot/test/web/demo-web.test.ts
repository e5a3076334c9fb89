import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import type { AppView, RelayMeasure } from "../../src/web-server/protocol.ts";
import { holdConnection } from "../hold-connection.ts";
import { startConversation } from "./conversation.ts";

const ENTRY = fileURLToPath(new URL("../../src/web-server/main.ts", import.meta.url));

/** The demo as `npm run demo:web` starts it, with what it prints. */
async function startDemo() {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const args = ["--conditions=@toolrail/source", ENTRY];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  onTestFinished(() => void child.kill());
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes("Ctrl-C")) break;
  }
  const find = (pattern: RegExp) => new URL(lines.join("\n").match(pattern)?.[1] ?? "");
  return { child, page: find(/chatbot is at (\S+)/), bank: find(/bank server\s+(\S+)/) };
}

test("the demo prints its address, serves the page, measures the relay way and ends with its bank", async () => {
  const { child, page, bank } = await startDemo();
  const html = await fetch(page);
  expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
  const script = (await html.text()).match(/src="(\/assets\/[^"]+\.js)"/)?.[1];
  expect((await fetch(new URL(script ?? "/none", page))).status).toBe(200);
  const app = (await (await fetch(new URL("/api/app", page))).json()) as AppView;
  expect(app).toMatchObject({ modes: ["ai-sdk", "langgraph", "guard"], canMeasureRelay: true });

  const conversation = await startConversation(page);
  await conversation.answer(DEMO_PIN);
  await conversation.say("Transfer 250 from my primary checking to my savings.");
  const { usage } = (await conversation.view()).status;
  const headers = { "content-type": "application/json" };
  const address = new URL(`/api/threads/${conversation.id}/relay`, page);
  const measured = await fetch(address, { method: "POST", headers, body: "{}" });
  const { sentences, relay } = (await measured.json()) as RelayMeasure;
  expect(sentences).toBe(1);
  expect(usage.modelCalls).toBe(1);
  expect(relay.modelCalls).toBeGreaterThan(usage.modelCalls);
  expect(relay.tokens).toBeGreaterThan(2 * usage.tokens);

  const held = await holdConnection(bank);
  const exited = once(child, "exit");
  child.kill("SIGINT");
  expect(await exited).toEqual([0, null]);
  expect(await held.ended).toBe("");
});
