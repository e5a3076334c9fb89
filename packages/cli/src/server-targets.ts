import { ToolrailError } from "@toolrail/core";
import { type ConfiguredServer, parseConfig } from "@toolrail/core/connect";
import { type ParseEntry, parse } from "shell-quote";
import { type Flags, UsageError } from "./command-line.ts";
import { readJsonFile } from "./input.ts";

/** Reads the servers of the command line, those of `--config` first. Throws `UsageError`. */
export async function readTargets(
  { config, server = [] }: Pick<Flags, "config" | "server">,
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
export function readHeaders({ header = [] }: Pick<Flags, "header">): Headers {
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

/** Reads `NAME=URL-or-command`. Throws `UsageError`. */
export function parseServer(text: string): ConfiguredServer {
  const [, name, place = ""] = /^([\w-]+)=\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `--server ${JSON.stringify(text)} needs a name of letters, digits, "_" and "-" first: ` +
        `--server NAME=URL-or-command, such as --server files='npx -y some-server .'`,
    );
  }
  const where = `--server ${name}`;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(place)) {
    return { name, url: place, headers: {} };
  }
  if (/^(localhost|[\w.-]+:\d+)(\/\S*)?$/.test(place)) {
    throw new UsageError(`${where}: to reach an address, write --server ${name}=http://${place}.`);
  }
  const [command, ...args] = splitCommand(place, where);
  if (command === undefined) throw new UsageError(`${where} names neither a URL nor a command.`);
  return { name, command, args, env: {} };
}

/** Splits a command line into words. No shell runs, so pipes, redirections and the like throw `UsageError`. */
export function splitCommand(text: string, where: string): string[] {
  const closed = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, "");
  if (/['"]/.test(closed)) throw new UsageError(`${where}: a quote is not closed in: ${text}`);
  return parse(text, (name) => `$${name}`).map((entry: ParseEntry) => {
    if (typeof entry === "string") return entry;
    if ("comment" in entry) return `#${entry.comment}`;
    if ("pattern" in entry) return entry.pattern;
    throw new UsageError(
      `${where}: the command is started without a shell, so "${entry.op}" has no effect there. ` +
        `Quote it, or start a shell: sh -c '…'.`,
    );
  });
}
