// The examples of guides as they are compiled and run; `code-blocks.test.ts` holds the two together.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  audience,
  createHost,
  type Host,
  type HostOptions,
  type McpPort,
  type NextTool,
} from "@toolrail/core";
import { contract, fingerprintTools, pins } from "@toolrail/core/contract";
import { createSingleStep } from "@toolrail/core/guard";
import { runPipe } from "@toolrail/core/pipe";
import { rules } from "@toolrail/core/rules";

export async function theRules({ crm, desk, isStaff, toTicket }: GivenToRules) {
  const host = await createHost({
    servers: { crm, desk },
    use: [
      rules([
        {
          name: "locked accounts",
          after: "crm.check_*",
          when: { structured: { properties: { locked: { const: true } }, required: ["locked"] } },
          next: { tool: "desk.handoff", arguments: { account: { $ref: "structured.id" } } },
        },
        { after: "crm.refund", on: "error", next: ({ text }) => toTicket(text) },
      ]),
    ],
    authorize: ({ context }) => (isStaff(context) ? "allow" : "ask"),
  });
  return host;
}

export async function anAudience(crm: McpPort) {
  const host = await createHost({
    servers: { crm },
    use: [audience({ tools: { "crm.read_pin": ["user"], "crm.read_log": ["assistant"] } })],
  });
  return host;
}

interface GivenToRules {
  readonly crm: McpPort;
  readonly desk: McpPort;
  isStaff(context: unknown): boolean;
  toTicket(text: string): NextTool;
}

export async function aPipe(host: Host, signal: AbortSignal) {
  const spec = {
    vars: { q: "mcp protocol overview" },
    steps: [
      { id: "search", tool: "web_search", args: { query: "${vars.q}" } },
      {
        id: "fetch",
        tool: "web_fetch",
        args: { url: { $ref: "steps.search.structured.results.0.url" } },
      },
    ],
    return: { $ref: "steps.fetch.structured.content" },
  };
  const { ok, error, result, steps } = await runPipe(host, { spec, signal });
  return { ok, error, result, steps };
}

export async function theGuard(host: Host, prompt: string) {
  const guard = createSingleStep(host, {
    allow: { "docs.search": "allow", "desk.close_ticket": "ask" },
  });
  const query = guard.startQuery();
  const outcome = await query.call({ tool: "docs.search", arguments: { text: prompt } });
  return { query, outcome };
}

export async function approvedTools(servers: HostOptions["servers"]) {
  const reviewed = await createHost({ servers });
  const approved = fingerprintTools(reviewed.tools); // JSON: keep it in a file
  const host = await createHost({ servers, use: [contract(), pins(approved)] });
  return host;
}

export async function anApproval(
  shop: Client,
  askPerson: (tool: string, args: unknown, reason: string | undefined) => Promise<boolean>,
) {
  const host = await createHost({
    servers: { shop },
    requireApproval: ["shop.pay_refund"], // unless your own program calls it
    authorize: ({ arguments: { amount } }) =>
      Number(amount) > 1000 ? { ask: "it is more than 1,000" } : "allow", // also of destructive tools
  });
  const chain = await host.run({ tool: "shop.order", arguments: { amount: 2000 } });
  if (chain.ended === "needs-approval") {
    const { server, tool, arguments: args, reason } = chain.pending ?? {}; // show these to the person
    const yes = await askPerson(`${server}.${tool}`, args, reason);
    await host.resume(chain, yes ? "approve" : { deny: "The customer said no." });
  }
  return chain;
}
