// Runs the stories of the evidence on a real model: any provider with an OpenAI-compatible address, or a local server.
//   OPENAI_API_KEY=... OPENAI_MODEL=... npm run evidence:real
//   OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=... npm run evidence:real
//     [-- --only bank,hops,references] [--runs 3] [--price 0.5] [--yes]
// It says what it will cost, and asks, before anything is sent.
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { runStories } from "./run-stories.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    runs: { type: "string", default: "1" },
    price: { type: "string" },
    yes: { type: "boolean", default: false },
  },
});

try {
  const isRun = await runStories({
    env: process.env,
    ...(values.only && { only: values.only.split(",") }),
    runs: Number(values.runs),
    price: values.price === undefined ? undefined : Number(values.price),
    confirm,
    print: (line) => console.log(line),
  });
  if (!isRun) console.log("Nothing was sent.");
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : error);
}

async function confirm(): Promise<boolean> {
  if (values.yes) return true;
  if (!process.stdin.isTTY) throw new Error("Nobody can be asked here: add --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Go on? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
