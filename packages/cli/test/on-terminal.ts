import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runToolrail } from "../src/run-toolrail.ts";

const SERVER = fileURLToPath(new URL("./fixtures/asking-server.ts", import.meta.url));

/** The options of a command whose server asks the user, and has a tool that deletes something. */
export const ASKING = [
  "--server",
  `bank="${process.execPath}" --conditions=@toolrail/source "${SERVER}"`,
];

/** Runs a call on a terminal, where a person types these lines, each when it is asked for. No line is Ctrl-D. */
export async function typing(lines: readonly (string | undefined)[], args: readonly string[]) {
  const terminal = { isTTY: true, columns: 100 };
  let isRaw = false;
  const setRawMode = (mode: boolean) => {
    isRaw ||= mode;
  };
  const stdin = Object.assign(new PassThrough(), { ...terminal, setRawMode });
  const stderr = Object.assign(new PassThrough(), terminal);
  const stdout = new PassThrough();
  const rest = [...lines];
  let seen = "";
  stderr.on("data", (chunk) => {
    seen += chunk;
    if (!/\] $/.test(String(chunk)) || rest.length === 0) return;
    const line = rest.shift();
    setImmediate(() => (line === undefined ? stdin.end() : stdin.write(`${line}\n`)));
  });
  const out = text(stdout);
  const { signal } = new AbortController();
  const code = await runToolrail([...args, "--json"], {
    stdin,
    stdout,
    stderr,
    env: {},
    signal,
  });
  stdout.end();
  return { code, seen, isRaw, document: JSON.parse(await out) };
}
