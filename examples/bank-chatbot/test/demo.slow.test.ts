import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { TurnReport } from "../src/demo/rails.ts";

function startDemo(args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) {
  const { OPENAI_API_KEY: _, ...rest } = process.env;
  const [entry = "", ...options] = args[0]?.endsWith(".ts") ? args : ["main.ts", ...args];
  const file = fileURLToPath(new URL(`../src/${entry}`, import.meta.url));
  const demo = spawn(process.execPath, ["--conditions=@toolrail/source", file, ...options], {
    env: { ...rest, NO_COLOR: "1", ...more },
    stdio: "pipe",
  });
  onTestFinished(() => void demo.kill());
  return demo;
}

async function runDemo(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const demo = startDemo(args, more);
  const lines: string[] = [];
  createInterface(demo.stdout).on("line", (line) => lines.push(line));
  const [code] = (await once(demo, "close")) as [number];
  return { code, lines };
}

/** The first address that the demo prints after the words. */
function findUrl(demo: ChildProcess, words: string): Promise<URL> {
  return new Promise((resolve) => {
    if (!demo.stdout) return;
    createInterface(demo.stdout).on("line", (line) => {
      const [found] = (line.includes(words) && /http:\S+[^\s,]/.exec(line)) || [];
      if (found) resolve(new URL(found));
    });
  });
}

/** Holds a connection, which ends when the process at its other end does. */
async function hold({ hostname, port }: URL) {
  const socket = connect(Number(port), hostname).on("error", () => {});
  await once(socket, "connect");
  return { ended: once(socket, "close") };
}

const HELLO =
  'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n' +
  "data: [DONE]\n\n";

const PROFILES = ["openai", "anthropic", "gemini"];
const runs = ["ai-sdk", "langgraph"].flatMap((framework) =>
  PROFILES.map((profile) => [framework, profile] as const),
);

test.each(runs)(
  "The demo plays the conversation on %s by the rules of %s.",
  async (framework, profile) => {
    const args = ["--json", "--framework", framework];
    const { code, lines } = await runDemo(args, { OFFLINE_PROFILE: profile });
    expect(code).toBe(0);
    const turns = lines.map((line) => JSON.parse(line) as TurnReport);
    expect(turns.map(({ hops }) => hops.map(({ tool, by }) => `${by} ${tool}`))).toEqual([
      ["model list_accounts"],
      ["model prepare_money_transfer", "chain request_agent_handoff"],
      ["model check_account_issue", "chain initiate_human_handoff"],
    ]);
    expect(turns.map(({ modelCalls }) => modelCalls)).toEqual([2, 2, 2]);
    expect(turns[1]?.shown).toEqual([
      expect.stringMatching(/Primary Checking .* is currently locked/),
      expect.stringContaining("An agent can help you with this."),
    ]);
    const keys = ["hops", "modelCalls", "shown", "tokens", "user"];
    for (const turn of turns) expect(Object.keys(turn).sort()).toEqual(keys);
  },
);

test.each([
  [["--framework", "cobol"], /^The demo ended early: --framework is ai-sdk or langgraph/],
  [["--colour"], /^The demo ended early: Unknown option '--colour'/],
])("The demo says in one line what is wrong with %j.", async (args, message) => {
  const demo = startDemo(args);
  const lines: string[] = [];
  createInterface(demo.stderr).on("line", (line) => lines.push(line));
  expect(await once(demo, "close")).toEqual([1, null]);
  expect(lines).toEqual([expect.stringMatching(message)]);
});

test("The demo with Toolrail spends fewer model calls and tokens than the one that relays.", async () => {
  const { code, lines } = await runDemo([]);
  expect(code).toBe(0);
  const figures = (name: string) => {
    const line = lines.find((text) => text.includes(name)) ?? "";
    return (line.match(/\d+/g) ?? []).map(Number);
  };
  const [railCalls = 0, railTokens = 0] = figures("with Toolrail");
  const [relayCalls = 0, relayTokens = 0] = figures("relayed by the model (plain tools)");
  expect(railCalls).toBeLessThan(relayCalls);
  expect(railTokens).toBeLessThan(relayTokens);
});

test.each([
  ["it is interrupted", (demo: ChildProcess) => void demo.kill("SIGINT"), 130],
  ["it is killed", (demo: ChildProcess) => void demo.kill("SIGKILL"), null],
  [
    "nobody reads on",
    (demo: ChildProcess, model: ServerResponse) => {
      demo.stdout?.destroy();
      model.setHeader("content-type", "text/event-stream").end(HELLO);
    },
    0,
  ],
])("The bank server ends with the demo when %s.", async (_, end, code) => {
  const model = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    model.close();
    model.closeAllConnections();
  });
  await once(model, "listening");
  const { port } = model.address() as AddressInfo;
  const asked = once(model, "request") as Promise<[IncomingMessage, ServerResponse]>;
  const OPENAI_BASE_URL = `http://127.0.0.1:${port}/v1`;
  const demo = startDemo([], { OPENAI_API_KEY: "none", OPENAI_BASE_URL });
  const closed = once(demo, "close");
  const bank = await hold(await findUrl(demo, "bank server"));
  const [, response] = await asked; // It has no answer yet: the demo is in the middle of a turn.
  end(demo, response);
  expect((await closed)[0]).toBe(code);
  await bank.ended;
});

test("The web demo serves its page, and its bank server ends with it.", async () => {
  const demo = startDemo(["web-server/main.ts"]);
  const bankUrl = findUrl(demo, "bank server");
  const html = await fetch(await findUrl(demo, "chatbot is at"));
  expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await html.text()) ?? [];
  expect((await fetch(new URL(script, html.url))).status).toBe(200);
  const bank = await hold(await bankUrl);
  const closed = once(demo, "close");
  demo.kill("SIGINT");
  expect(await closed).toEqual([0, null]);
  await bank.ended;
});
