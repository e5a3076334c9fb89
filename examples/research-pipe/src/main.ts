// Two pipes, each run in six ways: node --conditions=@toolrail/source src/main.ts
import { type OfflineModel, startOfflineModel } from "@toolrail/example-offline-model";
import { type Measured, measure } from "./measure.ts";
import { researchRules } from "./model-rules.ts";
import { openResearch, type Research } from "./open-research.ts";
import { type Asking, type Question, questionsAbout } from "./questions.ts";
import { askAiSdk } from "./with-ai-sdk.ts";
import { runInCore } from "./with-core.ts";
import { askLangGraph, runAsGraph } from "./with-langgraph.ts";

const KB = 1024;
const PAGE_SIZES = [4 * KB, 20 * KB, 100 * KB];

const model = await startOfflineModel({ rules: researchRules });
for (const pageBytes of PAGE_SIZES) {
  await using research = await openResearch({ pageBytes });
  for (const question of questionsAbout(research.siteUrl)) {
    print(`\n${question.title}: pages of ${pageBytes / KB} KB`);
    await runAll(research, model, question);
  }
}
await model.close();

/** Runs one pipe in every way. All ways must find the same passages. */
async function runAll(
  research: Research,
  offline: OfflineModel,
  { spec, vars, text }: Question,
): Promise<void> {
  const { host } = research;
  const asking = { host, modelUrl: offline.url, question: text };
  const pipe: Asking = { ...asking, tools: "mcp_pipe" };
  const plain: Asking = { ...asking, tools: "plain" };
  const ways: readonly (readonly [title: string, work: () => Promise<string>])[] = [
    ["core, runPipe", async () => passagesOf(await runInCore(host, spec, vars))],
    ["LangGraph, compilePipe", async () => passagesOf(await runAsGraph(host, spec, vars))],
    ["LangGraph agent, mcp_pipe", () => askLangGraph(pipe)],
    ["AI SDK, mcp_pipe", () => askAiSdk(pipe)],
    ["LangGraph agent, by hand", () => askLangGraph(plain)],
    ["AI SDK, by hand", () => askAiSdk(plain)],
  ];
  print(`${" ".repeat(28)}tool calls  model calls  tokens read  tokens written`);
  const answers = new Set<string>();
  for (const [title, work] of ways) {
    const measured = await measure(offline, research, work);
    answers.add(measured.answer);
    print(`  ${title.padEnd(26)}${toRow(measured)}`);
  }
  if (answers.size > 1) throw new Error(`The answers differ:\n${[...answers].join("\n---\n")}`);
  print(`  All say: ${[...answers].join().slice(0, 72)}…`);
}

function passagesOf({
  ok,
  error,
  result,
}: {
  ok: boolean;
  error: string;
  result: unknown;
}): string {
  if (!ok || !Array.isArray(result)) throw new Error(error);
  return result.join("\n\n");
}

function toRow({ toolCalls, modelCalls, read, written }: Measured<string>): string {
  const column = (value: number, width: number) => value.toLocaleString("en").padStart(width);
  return `${column(toolCalls, 10)}${column(modelCalls, 13)}${column(read, 13)}${column(written, 16)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
