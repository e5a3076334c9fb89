import { z } from "zod";
import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { ConnectedServer } from "../host/host-options.ts";
import { isJsonObject } from "../json/json.ts";
import { sentence } from "../json/plain-text.ts";
import { readShape } from "../json/shape.ts";
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
    const hint = typeof config === "string" ? " Parse its text with JSON.parse." : "";
    throw invalidOptions(
      `A configuration must be an object { "mcpServers": { "name": { … } } }.${hint}`,
    );
  }
  const enabled = Object.entries(entries).filter(
    ([, entry]) => !isJsonObject(entry) || entry.disabled !== true,
  );
  const schema = z.object({ [section]: z.record(z.string(), entrySchema(env)) });
  const { value, defect } = readShape(schema, { [section]: Object.fromEntries(enabled) });
  if (defect !== undefined) throw invalidOptions(sentence(defect));
  return Object.entries(value[section] ?? {}).map(([name, entry]) =>
    toServer(entry, { name, place: `${section}.${name}` }),
  );
}

/** The types of servers, and the transports that they require. `http` allows either. */
const TRANSPORTS = {
  stdio: undefined,
  http: undefined,
  "streamable-http": "streamable-http",
  streamableHttp: "streamable-http",
  sse: "sse",
} as const;

/** The variables `${NAME}` and `${NAME:-default}` of Claude Code, `${env:NAME}` of Cursor and VS Code, and `${input:id}`. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{([A-Za-z]+:[^}]*)\}/g;

/** Creates the schema of a server, which also resolves the variables in its texts. */
function entrySchema(env: NonNullable<ConfigOptions["env"]>) {
  const text = z.string().transform((written, context) =>
    written.replace(VARIABLE, (...[whole, name, fallback, other]) => {
      const filled = other === undefined && Object.hasOwn(env, name) ? env[name] : undefined;
      if (filled !== undefined || fallback !== undefined) return filled ?? fallback;
      context.addIssue(
        other === undefined
          ? `names the environment variable ${name}, which is not set. Set it, or write \${${name}:-default}`
          : `contains ${whole}: write the value, or a variable as \${NAME}`,
      );
      return whole;
    }),
  );
  const types = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];
  const type = z.enum(types, {
    error: ({ input }) =>
      `must be ${types.map((one) => `"${one}"`).join(" or ")}, not ${typeof input === "string" ? JSON.stringify(input) : typeof input}`,
  });
  return z.strictObject({
    type: type.optional(),
    disabled: z.boolean().optional(),
    url: text.optional(),
    headers: z.record(z.string(), text).optional(),
    command: text.optional(),
    args: z.array(text).optional(),
    env: z.record(z.string(), text).optional(),
    cwd: text.optional(),
  });
}

function toServer(
  entry: z.infer<ReturnType<typeof entrySchema>>,
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
