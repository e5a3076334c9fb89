import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ModelMessage } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPglite } from "../../../langgraph/test/start-postgres.ts";
import { USER } from "../bank.ts";
import { majors } from "../majors.ts";
import { answerTo } from "../reading.ts";

const script = fileURLToPath(new URL("./worker.ts", import.meta.url));
const FORMS = ["a call of createTools", "a call of withChaining", "a hop of withChaining"];

async function startWorker(...args: readonly string[]) {
  const command = ["--conditions=@toolrail/source", script, ...args];
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async (messages: readonly ModelMessage[]): Promise<ModelMessage[]> => {
    child.stdin.write(`${JSON.stringify(messages)}\n`);
    return JSON.parse((await lines.next()).value ?? '"The worker has ended."');
  };
}

describe.each(majors)("two processes on $name", ({ name }) => {
  it.each(FORMS)("continue with the same approved history, and make %s once.", async (form) => {
    const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "payments.txt");
    writeFileSync(file, "");
    const db = await startPglite();
    onTestFinished(() => db.stop());
    const start = () => startWorker(name, form, db.connectionString, file);
    const [one, other] = await Promise.all([start(), start()]);
    const asked = [USER, ...(await one([USER]))];
    const answered = [...asked, answerTo(asked, true)];
    const told = await Promise.all([one(answered), other(answered)]);
    expect(readFileSync(file, "utf8").match(/^pay /gm)).toHaveLength(1);
    const read = told.map((messages) =>
      JSON.stringify(messages.filter(({ role }) => role === "tool")),
    );
    expect(read.some((text) => text.includes("pay done"))).toBe(true);
    // Nobody waits for the call of another process: while it is under way, the answer is that.
    for (const text of read) expect(text).toMatch(/pay done|is being called already/);
    expect(JSON.stringify(await other(answered))).toContain("pay done");
  });
});
