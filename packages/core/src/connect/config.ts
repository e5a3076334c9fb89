import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { ConnectServer } from "../host/host-options.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { suggestName } from "../nearest-name.ts";
import { http, readUrl } from "./http.ts";
import { stdio } from "./stdio.ts";

/** A configuration of servers as Claude Desktop, Cursor and others write it, or with `servers` as VS Code does. */
export interface ServersConfig {
  readonly mcpServers?: { readonly [name: string]: object };
  readonly servers?: { readonly [name: string]: object };
}

/** A server of a configuration with resolved variables: a program or an address. */
export type ConfiguredServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly transport?: "streamable-http" | "sse";
    };

/** Options of `fromConfig` and `parseConfig`. */
export interface ConfigOptions {
  /** The environment for the variables `${NAME}`. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ConfigOptions>("parseConfig", {
  env: "object",
});

/** Creates the `servers` of `createHost` from a configuration. Throws `invalid-options` with the path of an invalid part. */
export function fromConfig(
  config: ServersConfig,
  options?: ConfigOptions,
): Readonly<Record<string, ConnectServer>> {
  const servers = parseConfig(config, options).map((server): [string, ConnectServer] => {
    if ("url" in server) {
      const { name, url, ...request } = server;
      return [name, http(url, request)];
    }
    const { name, command, args, ...program } = server;
    return [name, stdio(command, args, program)];
  });
  return Object.fromEntries(servers);
}

/** Parses a configuration into plain data, without the servers that are `disabled`. Throws as `fromConfig` does. */
export function parseConfig(
  config: ServersConfig,
  options: ConfigOptions = {},
): ConfiguredServer[] {
  checkOptions(options);
  const { env = processEnv() } = options;
  const { mcpServers, servers } = (config ?? {}) as JsonObject;
  if (mcpServers !== undefined && servers !== undefined) {
    throw invalidOptions('A configuration has both "mcpServers" and "servers"; keep one.');
  }
  const section = mcpServers === undefined ? "servers" : "mcpServers";
  const entries = mcpServers ?? servers;
  if (!isJsonObject(entries)) {
    throw invalidOptions('A configuration must be an object { "mcpServers": { "name": { … } } }.');
  }
  return Object.entries(entries).flatMap(([name, entry]) => {
    const where = `${section}.${name}`;
    if (!isJsonObject(entry)) throw invalidOptions(`${where} must be an object.`);
    const { disabled = false } = entry;
    if (typeof disabled !== "boolean") {
      throw invalidOptions(`${where}.disabled must be true or false.`);
    }
    return disabled ? [] : [parseServer(name, { entry, where, env })];
  });
}

interface EntryContext {
  readonly entry: JsonObject;
  readonly where: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The types of servers with an address, and the transports that they require. `http` allows either. */
const TRANSPORTS = new Map<unknown, "streamable-http" | "sse" | undefined>([
  ["http", undefined],
  ["streamable-http", "streamable-http"],
  ["streamableHttp", "streamable-http"],
  ["sse", "sse"],
]);
const SHARED_KEYS = ["type", "disabled"];
const URL_KEYS = [...SHARED_KEYS, "url", "headers"];
const COMMAND_KEYS = [...SHARED_KEYS, "command", "args", "env", "cwd"];

function parseServer(name: string, context: EntryContext): ConfiguredServer {
  const { entry, where } = context;
  const { type, url, command, args = [], cwd } = entry;
  if (url !== undefined && command !== undefined) {
    throw invalidOptions(`${where} has both a "url" and a "command"; keep one.`);
  }
  if (type !== undefined && type !== "stdio" && !TRANSPORTS.has(type)) {
    const known = ["stdio", ...TRANSPORTS.keys()].map(String);
    throw invalidOptions(
      `${where}.type is ${JSON.stringify(type)}. ${suggestName(String(type), known)}`,
    );
  }
  if (url !== undefined && type === "stdio") {
    throw invalidOptions(`${where}.type is "stdio", but it has a "url".`);
  }
  if (url !== undefined || TRANSPORTS.has(type)) {
    refuseOtherKeys(context, { known: URL_KEYS, what: 'a server with a "url"' });
    const transport = TRANSPORTS.get(type);
    return {
      name,
      url: readUrl(textAt(context, "url", url), `${where}.url`).href,
      headers: textsAt(context, "headers"),
      ...(transport && { transport }),
    };
  }
  refuseOtherKeys(context, { known: COMMAND_KEYS, what: 'a server with a "command"' });
  if (command === undefined) throw invalidOptions(`${where} needs a "command" or a "url".`);
  if (!Array.isArray(args)) throw invalidOptions(`${where}.args must be a list of texts.`);
  return {
    name,
    command: textAt(context, "command", command),
    args: args.map((arg, at) => textAt(context, `args[${at}]`, arg)),
    env: textsAt(context, "env"),
    ...(cwd !== undefined && { cwd: textAt(context, "cwd", cwd) }),
  };
}

function refuseOtherKeys(
  { entry, where }: EntryContext,
  { known, what }: { readonly known: readonly string[]; readonly what: string },
): void {
  const other = Object.keys(entry).find((key) => !known.includes(key));
  if (other === undefined) return;
  const all = [...new Set([...URL_KEYS, ...COMMAND_KEYS])];
  if (all.includes(other)) {
    throw invalidOptions(`${where} has ${JSON.stringify(other)}, which ${what} does not take.`);
  }
  const hint = suggestName(other, all);
  throw invalidOptions(`${where} has ${JSON.stringify(other)}, which is not known. ${hint}`);
}

function textsAt(context: EntryContext, key: "env" | "headers"): Readonly<Record<string, string>> {
  const { [key]: value = {} } = context.entry;
  if (!isJsonObject(value))
    throw invalidOptions(`${context.where}.${key} must be an object of texts.`);
  const texts = Object.entries(value).map(([name, text]) => {
    return [name, textAt(context, `${key}.${name}`, text)] as const;
  });
  return Object.fromEntries(texts);
}

/** The variables `${NAME}` and `${NAME:-default}` of Claude Code, `${env:NAME}` of Cursor and VS Code, and `${input:id}`. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{([A-Za-z]+:[^}]*)\}/g;

/** Reads a text and resolves its variables. */
function textAt({ where, env }: EntryContext, key: string, value: unknown): string {
  const place = `${where}.${key}`;
  if (typeof value !== "string") throw invalidOptions(`${place} must be a text.`);
  return value.replace(VARIABLE, (...[whole, name, fallback, other]) => {
    if (other !== undefined) {
      throw invalidOptions(
        `${place} contains ${whole}: write the value, or a variable as \${NAME}.`,
      );
    }
    const filled: string | undefined = Object.hasOwn(env, name) ? env[name] : undefined;
    if (filled !== undefined) return filled;
    if (fallback !== undefined) return fallback;
    const hint = `Set it, or write \${${name}:-default}.`;
    throw invalidOptions(`${place}: the environment variable ${name} is not set. ${hint}`);
  });
}

/** Reads the environment, which is empty in a browser. */
function processEnv(): Readonly<Record<string, string | undefined>> {
  return (globalThis as { readonly process?: typeof process }).process?.env ?? {};
}
