#!/usr/bin/env node
import { runToolrail } from "./run-toolrail.ts";

const { stdin, stdout, stderr, env, argv } = process;
const cancel = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // The first Ctrl-C ends the started programs, which may take seconds. The second one ends this process at once.
    if (cancel.signal.aborted) process.exit(1);
    cancel.abort(new Error(`cancelled by ${signal}`));
  });
}
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // The reader has closed its end, as in `toolrail … | head`.
  });
}

const context = { stdin, stdout, stderr, env, signal: cancel.signal };
process.exit(await runToolrail(argv.slice(2), context));
