import { ToolrailError } from "@toolrail/core";
import { type ConfiguredServer, parseConfig } from "@toolrail/core/connect";
import type { Flags } from "../command.ts";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { parseServer } from "./server-target.ts";

/** Reads the servers of the command line, those of `--config` first. Throws `UsageError`. */
export async function readTargets(
  { config, server = [] }: Flags,
  env: NodeJS.ProcessEnv,
): Promise<ConfiguredServer[]> {
  const configured = config === undefined ? [] : await readConfig(config, env);
  const targets = [...configured, ...server.map(parseServer)];
  if (targets.length === 0) {
    throw new UsageError(
      config === undefined
        ? "No server given: use --server NAME=URL-or-command, or --config FILE."
        : `${config} has no enabled server.`,
    );
  }
  const names = targets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`Two servers are named "${twice}"; rename one.`);
  return targets;
}

/** Reads `NAME:VALUE` headers. Throws `UsageError`. */
export function readHeaders({ header = [] }: Flags): Headers {
  const headers = new Headers();
  for (const text of header) {
    const [name = "", ...value] = text.split(":");
    try {
      headers.set(value.length > 0 ? name.trim() : "", value.join(":"));
    } catch {
      const shown = JSON.stringify(name); // The message leaves out the value, which may be a secret.
      throw new UsageError(`--header ${shown} is not a header: write NAME:VALUE.`);
    }
  }
  return headers;
}

/** Reads the servers of a file, as in other MCP clients. Throws `UsageError`, which names the file and the place in it. */
async function readConfig(file: string, env: NodeJS.ProcessEnv): Promise<ConfiguredServer[]> {
  const config = await readJsonFile(file, "--config");
  try {
    return parseConfig(config, { env });
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    throw new UsageError(`${file}: ${cause.message}`, { cause });
  }
}
