import type { Limits } from "../call/limits.ts";
import type { PortOptions } from "../call/port.ts";
import { type HostProblem, type Tool, type ToolRef, toolId } from "../call/tool.ts";
import { requireLess } from "../json/input-schema.ts";
import { isJsonObject, type JsonObject, measure, sha256 } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import { schemaDefect } from "../json/schema.ts";
import type { ListPages } from "./server-link.ts";

/** The tools of one server, and the problems with those that are left out. */
export interface ServerTools {
  readonly tools: readonly Tool[];
  readonly problems: readonly HostProblem[];
}

/** The limits of a definition without its schemas. */
const REST_LIMITS = { maxBytes: 524_288, maxDepth: 80 };
const MAX_PAGES = 64;
/** The most characters of a whole list, as JSON, with its cursors. */
const MAX_LIST = 16_777_216;
const MAX_NAME = 256;
const MAX_DESCRIPTION = 32_768;

interface ReadOptions {
  readonly limits: Limits;
  /** The servers whose names begin the names of their tools for models. */
  readonly prefixed: readonly string[];
  /** The `_meta` of each request. */
  readonly meta?: JsonObject | undefined;
  readonly headers?: PortOptions["headers"];
}

/** Reads all pages of `tools/list`, each as it comes, so that a server's list is bounded in sum. A tool that is wrong is left out alone, and reported. Rejects as the client does. */
export async function readServerTools(
  server: string,
  listPages: ListPages,
  options: ReadOptions,
): Promise<ServerTools> {
  const { definitions, problem } = await readPages(listPages, options);
  const problems: HostProblem[] = problem ? [{ server, ...problem }] : [];
  const byName = new Map<string, Definition | Refusal>();
  for (const read of definitions) {
    const name = "code" in read ? read.tool : read.name;
    if (name !== undefined) byName.set(name, byName.has(name) ? duplicate(name) : read);
    else if ("code" in read) problems.push({ server, ...read });
  }
  const tools: Tool[] = [];
  for (const read of byName.values()) {
    if ("code" in read) {
      problems.push({ server, ...read });
      continue;
    }
    const ref = { server, name: read.name };
    const modelName = toModelName(ref, options.prefixed);
    tools.push({ server, id: toolId(ref), modelName, ...read });
  }
  return { tools, problems };
}

async function readPages(listPages: ListPages, { limits, meta, headers }: ReadOptions) {
  const { callTimeoutMs: timeoutMs, maxToolsPerServer: maxTools } = limits;
  const definitions: (Definition | Refusal)[] = [];
  const cursors = new Set<unknown>();
  let size = 0;
  let cursor: unknown;
  const end = (problem?: Refusal) => ({ definitions, problem });
  const stop = (why: string) => {
    const message = `tools/list ${why}. The tools read so far are used.`;
    return end({ code: "list-too-large", message });
  };
  for (;;) {
    const answer = await listPages({ cursor, meta }, { timeoutMs, headers });
    const page = isJsonObject(answer) ? answer : {};
    if (!Array.isArray(page.tools)) {
      const message = "The answer to tools/list has no `tools` array.";
      return end({ code: "list-failed", message });
    }
    for (const entry of page.tools) {
      if (definitions.length === maxTools)
        return stop(`has more than ${maxTools} tools (limits.maxToolsPerServer)`);
      const text = toText(entry);
      size += text?.length ?? 0;
      if (size > MAX_LIST) return stop("has more than 16 MiB");
      definitions.push(readDefinition(entry, text));
    }
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) return end();
    if (cursors.has(cursor)) return stop("repeated a cursor, so it would never end");
    cursors.add(cursor);
    if (cursors.size >= MAX_PAGES) return stop(`has more than ${MAX_PAGES} pages`);
    size += toText(cursor)?.length ?? 0;
    if (size > MAX_LIST) return stop("has more than 16 MiB");
  }
}

/** Returns a value as JSON. Returns `undefined` for one that is circular or nested too deep. */
function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

type Definition = Omit<Tool, "server" | "id" | "modelName">;
type Refusal = Omit<HostProblem, "server">;

/** The definitions that were read, by their JSON texts: hosts read the same lists again and again. */
const known = new Map<string, Definition | Refusal>();
let knownLength = 0;
/** The most characters of one such text, and of all together: beyond that, all are forgotten. */
const MAX_TEXT = 16_384;
const MAX_KNOWN = 2_000_000;

/** Reads a definition once for each text. It has no part of `entry`, which a server in the same process may change later. */
function readDefinition(entry: unknown, text: string | undefined): Definition | Refusal {
  if (text === undefined) return parseDefinition(entry);
  const before = known.get(text);
  if (before) return before;
  const read = parseDefinition(JSON.parse(text));
  if (text.length > MAX_TEXT) return read;
  if (knownLength > MAX_KNOWN) known.clear();
  knownLength = known.size === 0 ? text.length : knownLength + text.length;
  known.set(text, read);
  return read;
}

function parseDefinition(entry: unknown): Definition | Refusal {
  if (!isJsonObject(entry) || typeof entry.name !== "string" || entry.name === "") {
    return { code: "invalid-tool", message: "A tool without a name was left out." };
  }
  const { inputSchema, outputSchema, ...rest } = entry;
  const { name, title, description, annotations, execution, _meta: meta } = entry;
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  const refuse = (code: HostProblem["code"], why: string): Refusal => ({
    tool: shown,
    code,
    message: `Tool "${shown}" is not offered: ${quoted(why)}.`,
  });
  if (shown !== name) return refuse("invalid-tool", `its name is over ${MAX_NAME} characters`);
  const size = measure(rest, REST_LIMITS); // The schemas are measured together with their other checks.
  if (size) return refuse("invalid-tool", `its definition is invalid (${size})`);
  for (const [member, text] of Object.entries({ title, description })) {
    if (typeof text !== "string" || text.length <= MAX_DESCRIPTION) continue;
    return refuse("invalid-tool", `its ${member} is over ${MAX_DESCRIPTION} characters`);
  }
  for (const [member, schema] of Object.entries({ inputSchema, outputSchema })) {
    if (member === "outputSchema" && schema === undefined) continue;
    const defect = schemaDefect(schema);
    if (defect) return refuse("invalid-schema", `its ${member} is invalid (${defect})`);
  }
  if (!isJsonObject(inputSchema) || inputSchema.type !== "object") {
    return refuse("invalid-schema", 'its inputSchema needs type "object"');
  }
  if (isJsonObject(execution) && execution.taskSupport === "required") {
    const why = "its server runs it only as a task, which this host does not support";
    return refuse("task-required", `${why}; make its taskSupport optional`);
  }
  return {
    name,
    inputSchema: requireLess(inputSchema),
    forModel: isForModel(meta),
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(isJsonObject(execution) && { execution }),
    ...(isJsonObject(meta) && { meta }),
  };
}

/** True if models see the tool (MCP Apps, SEP-1865). Visibility defaults to model and app. An invalid list hides the tool from models. */
function isForModel(meta: unknown): boolean {
  const ui = isJsonObject(meta) ? meta.ui : undefined;
  const visibility = isJsonObject(ui) ? ui.visibility : undefined;
  if (visibility === undefined) return true;
  return Array.isArray(visibility) && visibility.includes("model");
}

function duplicate(name: string): Refusal {
  const message = `Tool "${name}" is not offered: the server lists it twice, and it is unclear which one is meant.`;
  return { tool: name, code: "duplicate-name", message };
}

const MAX_LENGTH = 64;
const HASH_LENGTH = 20;
const HASHED = new RegExp(`_[0-9a-f]{${HASH_LENGTH}}$`);

/**
 * Makes the name that models see (see `modelName`). Different tools get different names: `server_tool` for the servers in
 * `prefixed`, and else the tool's name. If that is illegal, too long, or begins like the name of another server in
 * `prefixed`, it ends in a hash of server and tool. Nothing that a server lists changes the name of another tool.
 */
export function toModelName({ server, name }: ToolRef, prefixed: readonly string[]): string {
  const prefix = prefixed.includes(server) ? server : undefined;
  const plain = prefix === undefined ? name : `${prefix}_${name}`;
  const fitting = prefixed.filter((one) => plain.startsWith(`${one}_`));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  const isLegal = plain.length <= MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(plain);
  if (longest === prefix && isLegal && !HASHED.test(plain)) return plain;
  const stem = plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${stem}_${sha256(JSON.stringify([server, name])).slice(0, HASH_LENGTH)}`;
}
