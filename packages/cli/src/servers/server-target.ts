import type { ConfiguredServer } from "@toolrail/core/connect";
import { type ParseEntry, parse } from "shell-quote";
import { UsageError } from "../usage-error.ts";

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
