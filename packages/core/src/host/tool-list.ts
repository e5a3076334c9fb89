import { isJsonObject, type JsonObject, measure } from "../json.ts";
import { schemaDefect } from "../schema/json-schema.ts";
import type { Limits } from "./limits.ts";
import type { McpPort } from "./mcp-client.ts";
import type { HostProblem } from "./tool.ts";

/** A tool as one server listed it, before the host gives it a name towards models. */
export interface ListedTool {
  readonly name: string;
  readonly definition: JsonObject;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** What one server has to offer, and what is wrong with the rest. */
export interface ServerTools {
  readonly tools: readonly ListedTool[];
  readonly problems: readonly HostProblem[];
}

/** Of a definition without its schemas. */
const REST_LIMITS = { maxBytes: 524_288, maxDepth: 80 };
const MAX_NAME = 256;
const MAX_DESCRIPTION = 32_768;

/**
 * Reads all pages of a server's `tools/list`. A list without end is cut off and reported; what was
 * read is used. Tools that cannot be used are reported and left out, each alone. Rejects as the client does.
 */
export async function readServerTools(
  server: string,
  port: McpPort,
  limits: Limits,
  meta: JsonObject | undefined,
): Promise<ServerTools> {
  const { entries, problem } = await readPages(port, limits, meta);
  const problems: HostProblem[] = problem ? [{ server, ...problem }] : [];
  const byName = new Map<string, { tool?: ListedTool; problem?: HostProblem }>();
  for (const entry of entries) {
    const read = readTool(server, entry);
    const name = read.tool?.name ?? read.problem?.tool;
    if (name === undefined) problems.push(...(read.problem ? [read.problem] : []));
    else byName.set(name, byName.has(name) ? duplicate(server, name) : read);
  }
  for (const { problem: found } of byName.values()) if (found) problems.push(found);
  return { tools: [...byName.values()].flatMap(({ tool }) => tool ?? []), problems };
}

type ListProblem = Pick<HostProblem, "code" | "message">;

async function readPages(
  port: McpPort,
  limits: Limits,
  meta: JsonObject | undefined,
): Promise<{ entries: unknown[]; problem?: ListProblem }> {
  const entries: unknown[] = [];
  const cursors = new Set<unknown>();
  let cursor: unknown;
  for (let page = 1; ; page++) {
    const params = {
      ...(cursor !== undefined && { cursor }),
      ...(meta && { _meta: meta }),
    };
    const answer = await port.request("tools/list", params, {
      timeoutMs: limits.callTimeoutMs,
      totalTimeoutMs: limits.callTotalTimeoutMs,
    });
    const { tools, nextCursor } = isJsonObject(answer) ? answer : {};
    if (!Array.isArray(tools)) {
      return {
        entries,
        problem: { code: "list-failed", message: "tools/list sent no tools array." },
      };
    }
    const room = limits.maxToolsPerServer - entries.length;
    if (tools.length > room) {
      entries.push(...tools.slice(0, room));
      return { entries, problem: endOf("too-many-tools", limits.maxToolsPerServer, "tools") };
    }
    entries.push(...tools);
    if (nextCursor === undefined || nextCursor === null) return { entries };
    if (cursors.has(nextCursor)) {
      return { entries, problem: { code: "endless-list", message: REPEATED } };
    }
    if (page >= limits.maxListPages) {
      return { entries, problem: endOf("endless-list", limits.maxListPages, "pages") };
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

const REPEATED =
  "tools/list repeated a cursor and would never end; the pages read so far are used. Mend the server's paging.";

function endOf(code: HostProblem["code"], most: number, what: string): ListProblem {
  const limit = what === "tools" ? "maxToolsPerServer" : "maxListPages";
  return {
    code,
    message: `tools/list goes on after ${most} ${what}; those are used. Raise limits.${limit} if it really has more.`,
  };
}

function readTool(server: string, entry: unknown): { tool?: ListedTool; problem?: HostProblem } {
  if (!isJsonObject(entry) || typeof entry.name !== "string" || entry.name === "") {
    return {
      problem: { server, code: "invalid-tool", message: "A tool without a name was left out." },
    };
  }
  const { inputSchema, outputSchema, ...rest } = entry;
  const { name, description } = entry;
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const refuse = (code: HostProblem["code"], why: string) => ({
    problem: { server, tool: name, code, message: `Tool "${shown}" is not offered: ${why}.` },
  });
  if (name.length > MAX_NAME)
    return refuse("invalid-tool", `its name is over ${MAX_NAME} characters`);
  const size = measure(rest, REST_LIMITS); // The schemas are measured with what else is asked of them.
  if (size) return refuse("invalid-tool", `of its definition, ${size}`);
  if (typeof description === "string" && description.length > MAX_DESCRIPTION) {
    return refuse("invalid-tool", `its description is over ${MAX_DESCRIPTION} characters`);
  }
  if (!isJsonObject(inputSchema)) return refuse("invalid-schema", "it has no inputSchema object");
  const inputDefect = schemaDefect(inputSchema);
  if (inputDefect) return refuse("invalid-schema", `of its inputSchema, ${inputDefect}`);
  if (inputSchema.type !== "object") {
    return refuse("invalid-schema", 'its inputSchema does not say type "object"');
  }
  if (outputSchema === undefined) return { tool: { name, definition: entry, inputSchema } };
  const outputDefect = schemaDefect(outputSchema);
  if (outputDefect || !isJsonObject(outputSchema)) {
    return refuse(
      "invalid-schema",
      `of its outputSchema, ${outputDefect ?? "it is not an object"}`,
    );
  }
  return { tool: { name, definition: entry, inputSchema, outputSchema } };
}

function duplicate(server: string, name: string): { problem: HostProblem } {
  const message = `Tool "${name}" is listed twice, and is not offered: nobody can say which one is meant.`;
  return { problem: { server, tool: name, code: "duplicate-name", message } };
}
