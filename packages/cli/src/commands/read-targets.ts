import type { Context } from "../context.ts";
import { readConfig } from "../servers/read-config.ts";
import { parseServer, type ServerTarget } from "../servers/server-target.ts";
import { UsageError } from "../usage-error.ts";
import type { Flags } from "./flags.ts";

/** The servers that the command line names, `--config` first. Throws `UsageError`. */
export async function readTargets(flags: Flags, context: Context): Promise<ServerTarget[]> {
  const { config, server = [] } = flags;
  const targets = [
    ...(config === undefined ? [] : await readConfig(config, context.env)),
    ...server.map(parseServer),
  ];
  if (targets.length === 0) {
    throw new UsageError(
      config === undefined
        ? "No server is named: use --server NAME=URL-or-command, or --config FILE."
        : `${config} has no server that is not disabled.`,
    );
  }
  const names = targets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`Two servers are named "${twice}"; rename one.`);
  return targets;
}

/** Reads `NAME:VALUE` headers. Throws `UsageError`. */
export function readHeaders(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(":");
      const name = text.slice(0, at).trim();
      const value = text.slice(at + 1).trim();
      try {
        if (at < 1) throw new Error("it must be NAME:VALUE");
        new Headers([[name, value]]);
      } catch (cause) {
        const shown = at < 1 ? text : name;
        throw new UsageError(`--header ${JSON.stringify(shown)} is no header: write NAME:VALUE.`, {
          cause,
        });
      }
      return [name, value];
    }),
  );
}
