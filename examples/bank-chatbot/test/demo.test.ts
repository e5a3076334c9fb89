import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { TurnReport } from "../src/agents/bank-agent.ts";
import { holdConnection } from "./hold-connection.ts";

const ENTRY = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function startDemo(args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) {
  const { OPENAI_API_KEY: _, ...rest } = process.env;
  const env = { ...rest, NO_COLOR: "1", ...more };
  const options = ["--conditions=@toolrail/source", ENTRY, ...args];
  const demo = spawn(process.execPath, options, { env, stdio: "pipe" });
  onTestFinished(() => void demo.kill());
  return demo;
}

async function runDemo(...args: string[]) {
  const demo = startDemo(args);
  const lines: string[] = [];
  createInterface(demo.stdout).on("line", (line) => lines.push(line));
  const [code] = await once(demo, "close");
  return { code, lines };
}

it("prints one JSON object a turn and nothing else with --json", async () => {
  const { code, lines } = await runDemo("--json");
  expect(code).toBe(0);
  const turns = lines.map((line) => JSON.parse(line) as TurnReport);
  expect(turns.map(({ hops }) => hops.map(({ tool, by }) => `${by} ${tool}`))).toEqual([
    ["model list_accounts"],
    ["model prepare_money_transfer", "chain request_agent_handoff"],
    ["model check_account_issue", "chain initiate_human_handoff"],
  ]);
  const keys = ["hops", "modelCalls", "shown", "tokens", "user"];
  for (const turn of turns) expect(Object.keys(turn).sort()).toEqual(keys);
});

it("shows the customer what is for the user word for word", async () => {
  const { lines } = await runDemo("--json");
  const locked = JSON.parse(lines[1] ?? "{}") as TurnReport;
  expect(locked.shown[0]).toMatch(/Primary Checking .* is currently locked/);
  expect(locked.modelCalls).toBe(2);
});

it("plays the same conversation on LangGraph", async () => {
  const runs = await Promise.all([
    runDemo("--json"),
    runDemo("--json", "--framework", "langgraph"),
  ]);
  const [onAiSdk, onLangGraph] = runs.map(({ lines }) =>
    lines.map((line) => {
      const { user, shown, hops, modelCalls } = JSON.parse(line) as TurnReport;
      const words = shown.map((text) => text.replace(/ticket_[\w-]+/, "ticket"));
      return { user, words, modelCalls, hops: hops.map(({ tool, by }) => `${by} ${tool}`) };
    }),
  );
  expect(onLangGraph).toEqual(onAiSdk);
  expect(onLangGraph).toHaveLength(3);
});

it.each([
  [["--framework", "cobol"], /^The demo ended early: --framework is ai-sdk or langgraph/],
  [["--colour"], /^The demo ended early: Unknown option '--colour'/],
])("says in one line what is wrong with %j", async (args, message) => {
  const demo = startDemo(args);
  const lines: string[] = [];
  createInterface(demo.stderr).on("line", (line) => lines.push(line));
  expect(await once(demo, "close")).toEqual([1, null]);
  expect(lines).toEqual([expect.stringMatching(message)]);
});

it("spends fewer model calls and tokens than the model that relays, and ends by itself", async () => {
  const { code, lines } = await runDemo();
  expect(code).toBe(0);
  const figures = (name: string) => {
    const line = lines.find((text) => text.includes(name)) ?? "";
    return (line.match(/\d+/g) ?? []).map(Number);
  };
  const [railCalls = 0, railTokens = 0] = figures("on rails (Toolrail)");
  const [relayCalls = 0, relayTokens = 0] = figures("relayed by the model (plain tools)");
  expect(railCalls).toBeLessThan(relayCalls);
  expect(railTokens).toBeLessThan(relayTokens);
});

const HELLO = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
});

it.each([
  ["it is interrupted", (demo: ChildProcess) => void demo.kill("SIGINT"), 130],
  ["it is killed", (demo: ChildProcess) => void demo.kill("SIGKILL"), null],
  [
    "nobody reads on",
    (demo: ChildProcess, model: ServerResponse) => {
      demo.stdout?.destroy();
      model.setHeader("content-type", "application/json").end(HELLO);
    },
    0,
  ],
])("ends the bank server too when %s", async (_, end, code) => {
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
  const url = await new Promise<string>((resolve) => {
    createInterface(demo.stdout).on("line", (line) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const bank = await holdConnection(new URL(url));
  const [, response] = await asked; // It has no answer yet: the demo is in the middle of a turn.
  end(demo, response);
  expect((await closed)[0]).toBe(code);
  expect(await bank.ended).toBe("");
});
