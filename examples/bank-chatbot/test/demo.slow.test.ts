import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { TurnReport } from "../src/demo/both-ways.ts";

type Demo = ChildProcessWithoutNullStreams;

function startDemo(entry: string, args: string[] = [], more: NodeJS.ProcessEnv = {}): Demo {
  const { OPENAI_API_KEY: _, ...rest } = process.env;
  const file = fileURLToPath(new URL(`../src/${entry}`, import.meta.url));
  const env = { ...rest, NO_COLOR: "1", ...more };
  const demo = spawn(process.execPath, ["--conditions=@toolrail/source", file, ...args], { env });
  onTestFinished(() => void demo.kill());
  return demo;
}

/** Runs the demo in the terminal to its end. */
async function runDemo(args: string[], more?: NodeJS.ProcessEnv) {
  const demo = startDemo("main.ts", args, more);
  const closed = once(demo, "close");
  const [said, problems] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  const [code] = await closed;
  return { code, lines: said.trimEnd().split("\n"), problems: problems.trimEnd().split("\n") };
}

/** Waits for the first address that the demo prints after the words. */
function findUrl(demo: Demo, words: string): Promise<URL> {
  return new Promise((resolve) => {
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

const runs = ["ai-sdk", "langgraph"].flatMap((framework) =>
  ["openai", "anthropic", "gemini"].map((profile) => [framework, profile] as const),
);

test.each(runs)(
  "The demo plays the conversation on %s by the rules of %s.",
  async (framework, OFFLINE_PROFILE) => {
    const args = ["--json", "--framework", framework];
    const { code, lines } = await runDemo(args, { OFFLINE_PROFILE });
    expect(code).toBe(0);
    const turns = lines.map((line) => JSON.parse(line) as TurnReport);
    expect(turns.map(({ hops }) => hops.map(({ tool, by }) => `${by} ${tool}`))).toEqual([
      ["model list_accounts"],
      ["model prepare_money_transfer", "chain request_agent_handoff"],
      ["model check_account_issue", "chain initiate_human_handoff"],
    ]);
    expect(turns.map(({ modelCalls }) => modelCalls)).toEqual([2, 2, 2]);
    expect(turns[1]?.shown).toEqual([
      expect.stringMatching(/Primary Checking .* locked/),
      expect.stringContaining("agent"),
    ]);
    const keys = ["hops", "modelCalls", "shown", "tokens", "user"];
    for (const turn of turns) expect(Object.keys(turn).sort()).toEqual(keys);
  },
);

test.each([
  [["--framework", "cobol"], "--framework is ai-sdk or langgraph"],
  [["--colour"], "Unknown option '--colour'"],
])("The demo says in one line what is wrong with %j.", async (args, problem) => {
  const { code, problems } = await runDemo(args);
  expect(code).toBe(1);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test("The demo with Toolrail spends fewer model calls and tokens than the one that relays.", async () => {
  const { code, lines } = await runDemo([]);
  expect(code).toBe(0);
  const figures = (name: string) => {
    const line = lines.find((one) => one.includes(name)) ?? "";
    return (line.match(/\d+/g) ?? []).map(Number);
  };
  const [railCalls = 0, railTokens = 0] = figures("with Toolrail");
  const [relayCalls = 0, relayTokens = 0] = figures("relayed by the model (plain tools)");
  expect(railCalls).toBeLessThan(relayCalls);
  expect(railTokens).toBeLessThan(relayTokens);
});

/** Reads no more of the demo, and lets the model answer. */
function stopReading(demo: Demo, model: ServerResponse): void {
  demo.stdout.destroy();
  const choices = [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }];
  const stream = `data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`;
  model.setHeader("content-type", "text/event-stream").end(stream);
}

test.each([
  ["it is interrupted", (demo: Demo) => void demo.kill("SIGINT"), 130],
  ["it is killed", (demo: Demo) => void demo.kill("SIGKILL"), null],
  ["nobody reads on", stopReading, 0],
])("The bank server ends with the demo when %s.", async (_, end, code) => {
  const model = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => {
    model.close();
    model.closeAllConnections();
  });
  await once(model, "listening");
  const { port } = model.address() as AddressInfo;
  const asked = once(model, "request");
  const OPENAI_BASE_URL = `http://127.0.0.1:${port}/v1`;
  const demo = startDemo("main.ts", [], { OPENAI_API_KEY: "none", OPENAI_BASE_URL });
  const closed = once(demo, "close");
  const bank = await hold(await findUrl(demo, "bank server"));
  const [, response] = await asked; // It has no answer yet: the demo is in the middle of a turn.
  end(demo, response);
  expect((await closed)[0]).toBe(code);
  await bank.ended;
});

test("The web demo serves its page, and its bank server ends with it.", async () => {
  const demo = startDemo("web-server/main.ts");
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
