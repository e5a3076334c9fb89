import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ENTRY = fileURLToPath(new URL("../bank-server.ts", import.meta.url));

export interface SupervisedBank {
  readonly url: URL;
  close(): Promise<void>;
}

/** Runs the bank's MCP server on books of its own, and starts it again on them when it dies. */
export async function superviseBank(): Promise<SupervisedBank> {
  const folder = await mkdtemp(join(tmpdir(), "bank-chatbot-books-"));
  const store = join(folder, "bank.sqlite");
  let isClosing = false;
  let child: ChildProcess;

  async function start(port: string): Promise<URL> {
    const args = [ENTRY, "--tied", "--store", store, "--port", port];
    const started = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    child = started;
    const exited = once(started, "exit");
    const [line] = await Promise.race([
      once(createInterface(started.stdout), "line"),
      exited.then(([code]) => {
        throw new Error(`The bank server exited with code ${code} before it was ready.`);
      }),
    ]);
    const url = new URL((JSON.parse(String(line)) as { url: string }).url);
    void exited.then(() => {
      if (!isClosing) void start(url.port).catch(() => {});
    });
    return url;
  }

  const url = await start("0");
  return {
    url,
    async close() {
      isClosing = true;
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGTERM");
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
