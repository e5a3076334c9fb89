import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const FOLDER = join(import.meta.dirname, "..");

/** The command of the development server, which `npm run served` installs. */
export const CLI = join(FOLDER, "server/node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");

export interface DevServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts LangGraph's development server on the graphs of `langgraph.json`. It keeps threads in memory and writes them to
 * `.langgraph_api` every three seconds. Rejects if it ends before it answers.
 */
export async function startDevServer(port: number): Promise<DevServer> {
  if (!existsSync(CLI)) throw new Error("The development server is not installed: npm run served.");
  const args = ["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", `${port}`];
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: FOLDER,
    // It is a separate process group, since it starts processes that outlive it.
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_OPTIONS: "--conditions=@toolrail/source",
      LANGGRAPH_CLI_NO_ANALYTICS: "1",
      LANGSMITH_TRACING: "false",
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    await setTimeout(200);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      while (await isUp()) await setTimeout(50);
    },
  };
}
