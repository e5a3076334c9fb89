import { readConfig } from "../servers/read-config.ts";
import { parseServer, type ServerTarget } from "../servers/server-target.ts";
import { UsageError } from "../usage-error.ts";
import type { Flags } from "./flags.ts";

/** The servers that the command line names, those of `--config` first. Throws `UsageError`. */
export async function readTargets(
  { config, server = [] }: Flags,
  env: NodeJS.ProcessEnv,
): Promise<ServerTarget[]> {
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

/** A field name and a value of RFC 9110. */
const HEADER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:([\t -~\u0080-\u00ff]*)$/;

/** Reads `NAME:VALUE` headers. Throws `UsageError`. */
export function readHeaders(texts: readonly string[] = []): Record<string, string> {
  const pairs = texts.map((text) => {
    const [, name, value] = HEADER.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name.toLowerCase(), value.trim()];
    const shown = JSON.stringify(text.split(":")[0]); // The value may be a secret.
    throw new UsageError(`--header ${shown} is not a header: write NAME:VALUE.`);
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}
