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
/** The most characters of the texts of a definition. */
const MAX_LENGTHS = { name: 256, title: 32_768, description: 32_768 };

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
  { limits, prefixed, meta, headers }: ReadOptions,
): Promise<ServerTools> {
  const list = new PartialList(limits);
  let cursor: unknown;
  do {
    const page = await listPages({ cursor, meta }, { timeoutMs: limits.callTimeoutMs, headers });
    cursor = list.add(page);
  } while (cursor !== undefined);
  const tools: Tool[] = [];
  const problems: HostProblem[] = list.problem ? [{ server, ...list.problem }] : [];
  for (const read of list.byName.values()) {
    if ("code" in read) problems.push({ server, ...read });
    else {
      const ref = { server, name: read.name };
      tools.push({ server, id: toolId(ref), modelName: toModelName(ref, prefixed), ...read });
    }
  }
  return { tools, problems };
}

/** What was read of a server's list so far. */
class PartialList {
  /** What was read by the names of tools, which are empty for entries without one. */
  readonly byName = new Map<string, Definition | Refusal>();
  /** Why no more of the list is read. */
  problem: Refusal | undefined;
  readonly #maxTools: number;
  readonly #cursors = new Set<unknown>();
  #entries = 0;
  #characters = 0;

  constructor({ maxToolsPerServer }: Limits) {
    this.#maxTools = maxToolsPerServer;
  }

  /** Adds a page. Returns the cursor of the next one, if it is to be read. */
  add(answer: unknown): unknown {
    const { tools, nextCursor } = isJsonObject(answer) ? answer : {};
    if (!Array.isArray(tools)) return this.#end("has no `tools` array", "list-failed");
    for (const entry of tools) {
      const text = toText(entry);
      this.#entries++;
      if (this.#entries > this.#maxTools)
        return this.#end("has more than limits.maxToolsPerServer");
      if (this.#isTooLong(text)) return this.#end("has more than 16 MiB");
      const read = readDefinition(entry, text);
      const name = "code" in read ? (read.tool ?? "") : read.name;
      const isTwice = name !== "" && this.byName.has(name);
      this.byName.set(name, isTwice ? duplicate(name) : read);
    }
    return nextCursor === undefined || nextCursor === null
      ? undefined
      : this.#addCursor(nextCursor);
  }

  #addCursor(cursor: unknown): unknown {
    if (this.#cursors.has(cursor)) return this.#end("repeats a cursor, so it would never end");
    this.#cursors.add(cursor);
    if (this.#cursors.size >= MAX_PAGES) return this.#end(`has more than ${MAX_PAGES} pages`);
    return this.#isTooLong(toText(cursor)) ? this.#end("has more than 16 MiB") : cursor;
  }

  #isTooLong(text = ""): boolean {
    this.#characters += text.length;
    return this.#characters > MAX_LIST;
  }

  #end(why: string, code: "list-failed" | "list-too-large" = "list-too-large"): undefined {
    this.problem = { code, message: `tools/list ${why}. The tools read so far are used.` };
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
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = entry;
  const { _meta: meta } = entry;
  const defect = findDefect(entry);
  if (defect) return refuse(name, defect);
  return {
    name,
    inputSchema: requireLess(inputSchema as JsonObject),
    forModel: isForModel(meta),
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(isJsonObject(execution) && { execution }),
    ...(isJsonObject(meta) && { meta }),
  };
}

interface Defect extends Pick<Refusal, "code"> {
  readonly why: string;
}

/** Finds what is wrong with the definition of a tool that has a name. */
function findDefect({ inputSchema, outputSchema, ...rest }: JsonObject): Defect | undefined {
  const long = Object.entries(MAX_LENGTHS).find(([key, max]) => Object(rest[key]).length > max);
  if (long) return { code: "invalid-tool", why: `its ${long.join(" is over ")} characters` };
  const size = measure(rest, REST_LIMITS); // The schemas are measured together with their other checks.
  if (size) return { code: "invalid-tool", why: `its definition is invalid (${size})` };
  const isObject = Object(inputSchema).type === "object";
  const input = schemaDefect(inputSchema) ?? (isObject ? undefined : 'it needs type "object"');
  if (input) return { code: "invalid-schema", why: `its inputSchema is invalid (${input})` };
  const output = outputSchema === undefined ? undefined : schemaDefect(outputSchema);
  if (output) return { code: "invalid-schema", why: `its outputSchema is invalid (${output})` };
  const isTask = Object(rest.execution).taskSupport === "required";
  return isTask ? { code: "task-required", why: ONLY_AS_TASK } : undefined;
}

const ONLY_AS_TASK =
  "its server runs it only as a task, which this host does not support; make its taskSupport optional";

function refuse(name: string, { code, why }: Defect): Refusal {
  const tool = name.length > MAX_LENGTHS.name ? `${name.slice(0, MAX_LENGTHS.name)}…` : name;
  return { tool, code, message: `Tool "${tool}" is not offered: ${quoted(why)}.` };
}

/** True if models see the tool (MCP Apps, SEP-1865). Visibility defaults to model and app. An invalid list hides the tool from models. */
function isForModel(meta: unknown): boolean {
  const { visibility = ["model"] } = Object(Object(meta).ui);
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
