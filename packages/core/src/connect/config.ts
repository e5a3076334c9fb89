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
  const text = textSchema(env);
  return enabled.map(([name, entry]) => {
    const { type, url }: { readonly type?: unknown; readonly url?: unknown } = Object(entry);
    const isRemote = type === undefined ? url !== undefined : type !== "stdio";
    const schema = isRemote ? addressSchema(text) : programSchema(text);
    const place = `${section}.${name}`;
    const { value, defect } = readShape<z.infer<typeof schema>>(schema, entry, place);
    if (defect !== undefined) throw invalidOptions(sentence(defect));
    const { type: _, disabled: __, ...rest } = value;
    if ("url" in rest) readUrl(rest.url, `${place}.url`);
    return { name, ...rest };
  });
}

/** The variables `${NAME}` and `${NAME:-default}` of Claude Code, `${env:NAME}` of Cursor and VS Code, and `${input:id}`. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{([A-Za-z]+:[^}]*)\}/g;

/** Creates the schema of a text with variables, which resolves them. */
function textSchema(env: NonNullable<ConfigOptions["env"]>) {
  return z.string().transform((written, context) =>
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
}

type Text = ReturnType<typeof textSchema>;

const programSchema = (text: Text) =>
  z.strictObject({
    type: z.literal("stdio").optional(),
    disabled: z.boolean().optional(),
    command: text,
    args: z.array(text).default([]),
    env: z.record(z.string(), text).default({}),
    cwd: text.exactOptional(),
  });

const addressSchema = (text: Text) =>
  z.strictObject({
    type: z.enum(["http", "streamable-http", "streamableHttp", "sse"]).optional(),
    disabled: z.boolean().optional(),
    url: text,
    headers: z.record(z.string(), text).default({}),
  });
