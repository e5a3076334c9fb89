import { createOptionCheck, isObject, type OptionKind, oneOf } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { ConnectedServer } from "../host/host-options.ts";
import { isJsonObject } from "../json/json.ts";
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

/** A server as it stands in a configuration. */
interface ServerEntry {
  readonly type?: keyof typeof TRANSPORTS;
  readonly disabled?: boolean;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The types of servers, and the transports that they require. `http` allows either. */
const TRANSPORTS = {
  stdio: undefined,
  http: undefined,
  "streamable-http": "streamable-http",
  streamableHttp: "streamable-http",
  sse: "sse",
} as const;

const TEXTS_BY_NAME: OptionKind = {
  words: "an object of texts",
  test: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "string"),
};

const checkOptions = /* @__PURE__ */ createOptionCheck<ConfigOptions>("parseConfig", {
  env: "object",
});

const checkEntry = /* @__PURE__ */ createOptionCheck<ServerEntry>(
  "A server",
  {
    type: /* @__PURE__ */ oneOf(...Object.keys(TRANSPORTS)),
    disabled: "boolean",
    url: "text",
    headers: TEXTS_BY_NAME,
    command: "text",
    args: "texts",
    env: TEXTS_BY_NAME,
    cwd: "text",
  },
  { isRequired: true },
);

/** Creates the `servers` of `createHost` from a configuration. Throws `invalid-options` with the path of an invalid part. */
export function fromConfig(
  config: ServersConfig,
  options?: ConfigOptions,
): Readonly<Record<string, ConnectedServer>> {
  const servers = parseConfig(config, options).map((server): [string, ConnectedServer] => {
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
  const { env = globalThis.process?.env ?? {} } = options;
  const { mcpServers, servers } = Object(config) as ServersConfig;
  if (mcpServers !== undefined && servers !== undefined) {
    throw invalidOptions('A configuration has both "mcpServers" and "servers"; keep one.');
  }
  const section = mcpServers === undefined ? "servers" : "mcpServers";
  const entries: unknown = mcpServers ?? servers;
  if (!isJsonObject(entries)) {
    throw invalidOptions('A configuration must be an object { "mcpServers": { "name": { … } } }.');
  }
  return Object.entries(entries).flatMap(([name, entry]) => {
    if (isJsonObject(entry) && entry.disabled === true) return [];
    const place = `${section}.${name}`;
    const filled = fillIn(entry, { place, env });
    checkEntry(filled, place);
    return [toServer(filled as ServerEntry, { name, place })];
  });
}

/** The variables `${NAME}` and `${NAME:-default}` of Claude Code, `${env:NAME}` of Cursor and VS Code, and `${input:id}`. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{([A-Za-z]+:[^}]*)\}/g;

/** Resolves the variables in all texts of a value. */
function fillIn(
  value: unknown,
  { place, env }: { readonly place: string; readonly env: NonNullable<ConfigOptions["env"]> },
): unknown {
  if (Array.isArray(value)) {
    return value.map((one, at) => fillIn(one, { place: `${place}[${at}]`, env }));
  }
  if (isJsonObject(value)) {
    const filled = Object.entries(value).map(([name, one]) => {
      return [name, fillIn(one, { place: `${place}.${name}`, env })];
    });
    return Object.fromEntries(filled);
  }
  if (typeof value !== "string") return value;
  return value.replace(VARIABLE, (...[whole, name, fallback, other]) => {
    if (other !== undefined) {
      throw invalidOptions(
        `${place} contains ${whole}: write the value, or a variable as \${NAME}.`,
      );
    }
    const filled = Object.hasOwn(env, name) ? env[name] : undefined;
    if (filled !== undefined) return filled;
    if (fallback !== undefined) return fallback;
    const hint = `Set it, or write \${${name}:-default}.`;
    throw invalidOptions(`${place}: the environment variable ${name} is not set. ${hint}`);
  });
}

function toServer(
  entry: ServerEntry,
  { name, place }: { readonly name: string; readonly place: string },
): ConfiguredServer {
  const { type, url, headers = {}, command, args = [], env = {}, cwd } = entry;
  const isRemote = type === undefined ? url !== undefined : type !== "stdio";
  const other = (isRemote ? PROGRAM_KEYS : URL_KEYS).find((key) => entry[key] !== undefined);
  if (other !== undefined) {
    const what = isRemote ? "an address" : "a program";
    throw invalidOptions(`${place} is a server with ${what}, which takes no "${other}".`);
  }
  if (isRemote) {
    if (url === undefined) throw invalidOptions(`${place} needs a "url".`);
    const { href } = readUrl(url, `${place}.url`);
    const transport = type && TRANSPORTS[type];
    return { name, url: href, headers, ...(transport && { transport }) };
  }
  if (command === undefined) throw invalidOptions(`${place} needs a "command" or a "url".`);
  return { name, command, args, env, ...(cwd !== undefined && { cwd }) };
}

const URL_KEYS = ["url", "headers"] as const;
const PROGRAM_KEYS = ["command", "args", "env", "cwd"] as const;
