import { isJsonObject, type JsonObject } from "@toolrail/core";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { expandVariables } from "./expand-variables.ts";
import { isServerName, parseUrl, type ServerTarget } from "./server-target.ts";

/**
 * Reads the servers of a file in the `mcpServers` shape of other MCP clients. Entries with
 * `"disabled": true` are left out; keys of other clients are ignored. Throws `UsageError`, which names
 * the file and the place in it.
 */
export async function readConfig(file: string, env: NodeJS.ProcessEnv): Promise<ServerTarget[]> {
  const config = await readJsonFile(file, "--config");
  const servers = isJsonObject(config) ? config.mcpServers : undefined;
  if (!isJsonObject(servers)) {
    const hint =
      isJsonObject(config) && isJsonObject(config.servers) ? ' (it has "servers" instead)' : "";
    throw new UsageError(`${file} must hold an object { "mcpServers": { "name": { … } } }${hint}.`);
  }
  return Object.entries(servers).flatMap(([name, entry]) => {
    const where = `${file}, mcpServers.${name}`;
    if (!isServerName(name)) {
      throw new UsageError(`${where}: a name may hold letters, digits, "_" and "-".`);
    }
    if (!isJsonObject(entry)) throw new UsageError(`${where} must be an object.`);
    return entry.disabled === true ? [] : [toTarget(name, entry, where, env)];
  });
}

function toTarget(
  name: string,
  entry: JsonObject,
  where: string,
  env: NodeJS.ProcessEnv,
): ServerTarget {
  const { type, url, command } = entry;
  if (typeof url === "string" && typeof command === "string") {
    throw new UsageError(`${where} has both a url and a command; keep one.`);
  }
  const expand = (text: string, key: string) => expandVariables(text, env, `${where}.${key}`);
  switch (type) {
    case undefined:
    case "stdio":
    case "http":
    case "streamable-http":
    case "streamableHttp":
    case "sse":
      break;
    default:
      throw new UsageError(
        `${where}.type is ${JSON.stringify(type)}; known are "stdio", "http", "streamable-http" and "sse".`,
      );
  }
  if (type === "stdio" || (type === undefined && url === undefined)) {
    if (typeof command !== "string" || command === "") {
      throw new UsageError(`${where} needs a "command" or a "url", as text.`);
    }
    const { args = [], cwd } = entry;
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) {
      throw new UsageError(`${where}.args must be a list of texts.`);
    }
    if (cwd !== undefined && typeof cwd !== "string") {
      throw new UsageError(`${where}.cwd must be a text.`);
    }
    return {
      type: "stdio",
      name,
      command: expand(command, "command"),
      args: args.map((arg, at) => expand(arg, `args[${at}]`)),
      env: texts(entry.env, `${where}.env`, env),
      ...(cwd !== undefined && { cwd: expand(cwd, "cwd") }),
    };
  }
  if (typeof url !== "string") throw new UsageError(`${where}.url must be a text.`);
  return {
    type: type === "sse" ? "sse" : "http",
    name,
    url: parseUrl(expand(url, "url"), `${where}.url`),
    headers: texts(entry.headers, `${where}.headers`, env),
  };
}

function texts(value: unknown, where: string, env: NodeJS.ProcessEnv): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new UsageError(`${where} must be an object of texts.`);
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => {
      if (typeof text !== "string") throw new UsageError(`${where}.${key} must be a text.`);
      return [key, expandVariables(text, env, `${where}.${key}`)];
    }),
  );
}
