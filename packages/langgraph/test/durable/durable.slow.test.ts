import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const agent = fileURLToPath(new URL("./agent.ts", import.meta.url));

/** Runs one step of the agent in a process of its own, up to its report. */
async function runStep(step: "start" | "resume", graph: string, folder: string) {
  const counts = join(folder, "calls.txt");
  const args = ["--conditions=@toolrail/source", agent, step, graph, join(folder, "db"), counts];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  const report = once(createInterface(child.stdout), "line") as Promise<[string]>;
  const gone = exit.then(([code]) => Promise.reject(new Error(`The agent ended with ${code}.`)));
  gone.catch(() => {});
  const [line] = await Promise.race([report, gone]);
  const calls = readFileSync(counts, "utf8").trim().split("\n");
  return { ...JSON.parse(line), calls, child, exit };
}

// A chain inside one call cannot wait in its middle.
it.each(["middleware", "node"])(
  "A process killed at an approval is taken over by another, and no call is made twice (%s).",
  async (graph) => {
    const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

    const first = await runStep("start", graph, folder);
    expect(first).toMatchObject({ paused: true, modelCalls: 1, calls: ["a", "b"] });
    first.child.kill("SIGKILL");
    await first.exit;

    const second = await runStep("resume", graph, folder);
    expect(second).toMatchObject({
      paused: false,
      modelCalls: 1,
      last: "done",
      calls: ["a", "b", "c"],
      hops: [
        ["a", "model", 0],
        ["b", "chain", 1],
        ["c", "chain", 2],
      ],
    });
    second.child.stdin.end("\n");
    expect((await second.exit)[0]).toBe(0);
  },
);
