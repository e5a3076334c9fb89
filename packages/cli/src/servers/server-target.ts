import { type ParseEntry, parse } from "shell-quote";
import { UsageError } from "../usage-error.ts";

/** Where a server is: a program to start, or an address to call. */
export type ServerTarget =
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the environment of this process. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Reads `NAME=URL-or-command`. Throws `UsageError`. */
export function parseServer(text: string): ServerTarget {
  const [, name, place = ""] = /^([\w-]+)=\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `--server ${JSON.stringify(text)} needs a name of letters, digits, "_" and "-" first: ` +
        `--server NAME=URL-or-command, such as --server files='npx -y some-server .'`,
    );
  }
  const where = `--server ${name}`;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(place)) {
    return { type: "http", name, url: parseUrl(place, where), headers: {} };
  }
  if (/^(localhost|[\w.-]+:\d+)(\/\S*)?$/.test(place)) {
    throw new UsageError(`${where}: to reach an address, write --server ${name}=http://${place}.`);
  }
  const [command, ...args] = splitCommand(place, where);
  if (command === undefined) throw new UsageError(`${where} names neither a URL nor a command.`);
  return { type: "stdio", name, command, args, env: {} };
}

/** Throws `UsageError`, which begins with `where`. */
export function parseUrl(text: string, where: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new UsageError(`${where}: ${JSON.stringify(text)} is not an http or https URL.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `${where} contains a user name or password; send them in a header: Authorization: Basic …`,
    );
  }
  return url;
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
