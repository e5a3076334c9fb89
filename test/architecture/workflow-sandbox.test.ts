import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { expect, it, onTestFinished } from "vitest";

const PACKAGES = join(import.meta.dirname, "../../packages");

/** A chain with an approval, and a pipe, as they stand in the functions of a durable workflow. */
const PROGRAM = `
import { createHost } from ${JSON.stringify(`${PACKAGES}/core/src/index.ts`)};
import { runPipe } from ${JSON.stringify(`${PACKAGES}/pipe/src/index.ts`)};
export async function run(shop) {
  const host = await createHost({ servers: { shop }, requireApproval: ["shop.refund"] });
  const waiting = await host.run({ tool: "shop.return_order", arguments: { order: 7 } });
  const chain = await host.resume(waiting, "approve");
  const steps = [{ id: "back", tool: "return_order", args: { order: 8 } }];
  const pipe = await runPipe(host, { spec: { steps } });
  return { waiting: waiting.ended, chain: chain.ended, pipe: pipe.ok };
}`;

/** The program as one file that any sandbox can run. */
async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "toolrail-workflow-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const input = join(folder, "program.mjs");
  writeFileSync(input, PROGRAM);
  const build = await rolldown({
    input,
    platform: "node",
    resolve: { conditionNames: ["@toolrail/source", "import", "default"] },
    logLevel: "silent",
  });
  const { output } = await build.generate({
    format: "iife",
    name: "program",
    codeSplitting: false,
  });
  return output[0].code;
}

const unavailable = () => {
  throw new Error("There are no timers in a workflow.");
};

/** What is there in Vercel's workflows beside the language itself: no `performance`, no timers, no weak references. */
function workflowSandbox() {
  const sandbox = createContext({
    ...{ TextEncoder, TextDecoder, URL, structuredClone, crypto, DOMException },
    ...{ AbortController, AbortSignal },
    ...{ setTimeout: unavailable, clearTimeout: unavailable, setInterval: unavailable },
  });
  runInContext("delete globalThis.WeakRef; delete globalThis.FinalizationRegistry;", sandbox);
  return sandbox;
}

it("runs chains, approvals and pipes in a sandbox without timers, over a port outside of it", async () => {
  const calls: string[] = [];
  const refund = { tool: "refund", arguments: { order: 7 } };
  const inputSchema = { type: "object", properties: { order: { type: "integer" } } };
  const shop = {
    list: async () => ({
      tools: ["return_order", "refund"].map((name) => ({ name, inputSchema })),
    }),
    call: async ({ name, arguments: args }: { name: string; arguments: { order: number } }) => {
      calls.push(`${name} ${args.order}`);
      const isChained = name === "return_order" && args.order === 7;
      return { content: [], ...(isChained && { _meta: { nextTool: refund } }) };
    },
  };
  const sandbox = workflowSandbox();
  runInContext(await bundle(), sandbox);
  const ended = await sandbox.program.run(shop);
  expect(ended).toEqual({ waiting: "needs-approval", chain: "complete", pipe: true });
  expect(calls).toEqual(["return_order 7", "refund 7", "return_order 8"]);
});
