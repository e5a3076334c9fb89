import { fileURLToPath } from "node:url";
import { createHost, type Host } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { contract, pins, type ToolPins } from "@toolrail/core/contract";
import type { Allowlist } from "@toolrail/core/guard";
import * as z from "zod";

/** The operator's list. All other tools are denied, and a person must approve `close_ticket`. */
export const ALLOW: Allowlist = {
  "documents.fetch_document": "allow",
  "documents.scratch": "allow",
  "tickets.get_ticket": "allow",
  "tickets.close_ticket": "ask",
  "policies.find_policy": "allow",
};

/** Typed parsers on the host's side: what a model may reason over has passed one. */
const schemas = {
  "documents.fetch_document": z.object({ id: z.string(), title: z.string(), text: z.string() }),
  "tickets.get_ticket": z.object({ number: z.int(), title: z.string(), status: z.string() }),
  "tickets.close_ticket": z.object({ number: z.int(), title: z.string(), status: z.string() }),
  "policies.find_policy": z.object({ topic: z.string(), rule: z.string() }),
};

export interface OpenOptions {
  /** The edition of the policies server to start. Default 1. */
  readonly edition?: 1 | 2;
  readonly pins?: ToolPins;
}

/** Starts the three servers as processes and opens one host over them, contracts enforced. */
export async function openHost({ edition = 1, pins: approved }: OpenOptions = {}): Promise<Host> {
  return createHost({
    servers: {
      documents: server("documents"),
      tickets: server("tickets"),
      policies: server("policies", ["--edition", String(edition)]),
    },
    schemas,
    use: [contract(), ...(approved ? [pins(approved)] : [])],
  });
}

function server(name: string, args: readonly string[] = []) {
  const file = fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url));
  return stdio(process.execPath, [file, ...args]);
}
