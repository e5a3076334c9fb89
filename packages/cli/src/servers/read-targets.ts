import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { Flags } from "../command.ts";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { parseServer, parseUrl, type ServerTarget } from "./server-target.ts";

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

/** Reads `NAME:VALUE` headers. Throws `UsageError`. */
export function readHeaders({ header = [] }: Flags): Headers {
  const headers = new Headers();
  for (const text of header) {
    const [name = "", ...value] = text.split(":");
    try {
      headers.set(value.length > 0 ? name.trim() : "", value.join(":"));
    } catch {
      const shown = JSON.stringify(name); // The value may be a secret.
      throw new UsageError(`--header ${shown} is not a header: write NAME:VALUE.`);
    }
  }
  return headers;
}

/**
 * Reads the servers of a file in the `mcpServers` shape of other MCP clients. Entries with
 * `"disabled": true` are left out; keys of other clients are ignored. Throws `UsageError`, which names
 * the file and the place in it.
 */
async function readConfig(file: string, env: NodeJS.ProcessEnv): Promise<ServerTarget[]> {
  const { mcpServers, servers } = await readJsonFile(file, "--config");
  if (!isJsonObject(mcpServers)) {
    const hint = isJsonObject(servers) ? ' (it has "servers" instead)' : "";
    throw new UsageError(
      `${file} must contain an object { "mcpServers": { "name": { … } } }${hint}.`,
    );
  }
  return Object.entries(mcpServers).flatMap(([name, entry]) => {
    const where = `${file}, mcpServers.${name}`;
    if (!/^[\w-]+$/.test(name)) {
      throw new UsageError(`${where}: a name may contain letters, digits, "_" and "-".`);
    }
    if (!isJsonObject(entry)) throw new UsageError(`${where} must be an object.`);
    return entry.disabled === true ? [] : [toTarget(name, { entry, where, env })];
  });
}

type Place = Readonly<{ entry: JsonObject; where: string; env: NodeJS.ProcessEnv }>;

/** `${NAME}` or `${NAME:-default}` */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

const TYPES = ["stdio", "http", "streamable-http", "streamableHttp", "sse"];

function toTarget(name: string, { entry, where, env }: Place): ServerTarget {
  const { type, url, command, args = [], cwd } = entry;
  /** The text under a key, its variables filled in from the environment, as other clients do. */
  const text = (key: string, value: unknown) => {
    const place = `${where}.${key}`;
    if (typeof value !== "string") throw new UsageError(`${place} must be a string.`);
    return value.replace(VARIABLE, (...[, variable, fallback]) => {
      const filled: string | undefined = env[variable] ?? fallback;
      if (filled !== undefined) return filled;
      const hint = `Set it, or write \${${variable}:-default}.`;
      throw new UsageError(`${place}: the environment variable ${variable} is not set. ${hint}`);
    });
  };
  const texts = (key: "env" | "headers") => {
    const { [key]: value = {} } = entry;
    if (!isJsonObject(value)) throw new UsageError(`${where}.${key} must be an object of strings.`);
    const pairs = Object.entries(value).map(([one, inner]) => [one, text(`${key}.${one}`, inner)]);
    return Object.fromEntries(pairs) as Record<string, string>;
  };
  if (typeof url === "string" && typeof command === "string") {
    throw new UsageError(`${where} has both a url and a command; keep one.`);
  }
  if (type !== undefined && !TYPES.includes(String(type))) {
    throw new UsageError(
      `${where}.type is ${JSON.stringify(type)}; use "stdio", "http", "streamable-http" or "sse".`,
    );
  }
  if (type !== "stdio" && (type !== undefined || url !== undefined)) {
    return {
      type: type === "sse" ? "sse" : "http",
      name,
      url: parseUrl(text("url", url), `${where}.url`),
      headers: texts("headers"),
    };
  }
  if (!command) throw new UsageError(`${where} needs a "command" or a "url", as text.`);
  if (!Array.isArray(args)) throw new UsageError(`${where}.args must be a list of strings.`);
  return {
    type: "stdio",
    name,
    command: text("command", command),
    args: args.map((arg, at) => text(`args[${at}]`, arg)),
    env: texts("env"),
    ...(cwd !== undefined && { cwd: text("cwd", cwd) }),
  };
}
