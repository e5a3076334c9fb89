import { z } from "zod";
import type {
  CallOptions,
  CallRequest,
  CallVerdict,
  GateVerdict,
  ToolCall,
} from "../call/call-options.ts";
import { type HostProblem, isUnread, type Tool, toolText, toPattern } from "../call/tool.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import { engineOf } from "../host/engine.ts";
import type { Host } from "../host/host.ts";
import type { JsonObject } from "../json/json.ts";
import { quoted, shorten } from "../json/plain-text.ts";
import { listOf, objectOf, resolveReferences } from "../json/schema.ts";
import { readShape } from "../json/shape.ts";
import { createValidator, generatesCode } from "../json/validator.ts";

/** The operator's rule for a tool. `"ask"` leaves each call to a person. @inline */
export type AllowlistEntry = "allow" | "ask";

/**
 * The tools that a guarded query may call: a list of names, or an object of names with their entries. A name is `server.tool`, or
 * the bare name if only one server has it. `*` in a name matches any characters.
 */
export type Allowlist = readonly string[] | { readonly [tool: string]: AllowlistEntry };

/** The options of a guard. */
export interface SingleStepOptions {
  /** The tools that may be called, and those that need approval. Default, and if invalid: none. */
  readonly allow?: Allowlist | undefined;
  /**
   * `"enforce"` calls only tools whose output can be checked, by an output schema or by a parser in the host's `schemas`. For the
   * rest of the contract see `contract`. Default `"enforce"`.
   */
  readonly contract?: "enforce" | "off" | undefined;
}

/** The stage of a guard in each call. */
export type GuardGate = ReturnType<typeof createGuardGate>;

/** The tool with which a model writes a pipe: it would make many calls instead of one. */
const PIPE_TOOL = "mcp_pipe";
/** The most tools that a warning names, and an error to the planner. */
const [MAX_WARNED, MAX_OFFERED] = [3, 12];

interface Flaw {
  readonly code: ToolrailErrorCode;
  readonly why: string;
}

const IS_PIPE =
  "it runs a pipe that the model writes, and a query makes one call: offer your own pipe instead";
const IS_UNTYPED =
  'it has no outputSchema: add one on the server, register a parser under `schemas`, or set contract: "off"';
const IS_UNREAD = "the tools of its server could not be read. Try again later";
const NOT_LISTED = "it is not on the allowlist. Add it there if a planner may call it";

/** Names that Ajv takes for described where a schema has alternatives, since it collects their names in an object. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Refuses the arguments that no part of a schema describes, unless it says itself what becomes of them. */
function closeArguments(schema: JsonObject): JsonObject {
  if (schema.unevaluatedProperties !== undefined) return schema;
  const { subschemas } = resolveReferences(schema);
  const described = subschemas.flatMap(({ properties }) => Object.keys(objectOf(properties)));
  const undescribed = INHERITED.filter((name) => !described.includes(name));
  const own = { propertyNames: { not: { enum: undescribed } } };
  return { ...schema, allOf: [...listOf(schema.allOf), own], unevaluatedProperties: false };
}

/** Creates a guard's stage of a call: the tools that it offers, and its checks. */
export function createGuardGate(host: Host, { allow, contract = "enforce" }: SingleStepOptions) {
  const { findEntries, names, problem } = parseAllowlist(allow);
  const engine = engineOf(host);
  const { validator } = engine;
  engine.watchNames("guard.allow", names);
  if (problem !== undefined) engine.warn("guard-offers-less", problem);

  // A schema that is closed needs a keyword that a validator of the application may not know.
  const strict = generatesCode() ? createValidator() : validator;
  const strictChecks = createSchemaChecks({
    getValidator: (schema) => strict.getValidator(closeArguments(schema)),
  });

  /** Returns why a tool cannot be called, even if it is on the list. */
  const findFlaw = (tool: Tool): Flaw | undefined => {
    if (!tool.forModel) return { code: "not-allowed", why: "it is for the application alone" };
    if (tool.name === PIPE_TOOL) return { code: "not-allowed", why: IS_PIPE };
    if (contract === "off" || tool.outputSchema || engine.hasParser(tool)) return undefined;
    return { code: "quarantined-tool", why: IS_UNTYPED };
  };

  const readTools = (listed: readonly Tool[]) => {
    const { entries, ambiguous } = findEntries(listed);
    const tools = listed.filter((tool) => entries.has(tool) && !findFlaw(tool));
    const leftOut = [...entries.keys()].flatMap((tool) => {
      const flaw = findFlaw(tool);
      return flaw ? `${shorten(tool.id)} (${flaw.why})` : [];
    });
    leftOut.push(...ambiguous.map((name) => `${shorten(name)} (several tools have this name)`));
    const more = leftOut.length - MAX_WARNED;
    const first = leftOut.slice(0, MAX_WARNED).join(", ");
    if (first) engine.warn("guard-offers-less", `${first}${more > 0 ? ` and ${more} more` : ""}.`);
    return { listed, entries, tools };
  };

  let known = readTools([]);
  /** Reads the operator's list. Reads it again only if the host's tools have changed. */
  const read = () => {
    const { listed } = known;
    const now = host.tools;
    const isSame = now.length === listed.length && now.every((tool, at) => tool === listed[at]);
    if (!isSame) known = readTools(now);
    return known;
  };

  /** Judges a call of a query that `knows` the tools that have not changed since it began. */
  const judge = (call: ToolCall, knows: (tool: Tool) => boolean): GateVerdict => {
    const { tool, arguments: args } = call;
    const refuse = (code: ToolrailErrorCode, why: string, data?: { problems: HostProblem[] }) =>
      new ToolrailError(code, `${tool.id} was not called: ${why}.`, data && { data });
    const entry = read().entries.get(tool);
    if (problem !== undefined) return new ToolrailError("not-allowed", problem);
    if (!entry) return refuse("not-allowed", NOT_LISTED);
    const flaw = findFlaw(tool);
    if (flaw) return refuse(flaw.code, flaw.why);
    // The tools of an unread list may have changed.
    const down = host.problems.find((one) => one.server === tool.server && isUnread(one));
    if (down) return refuse("server-unavailable", IS_UNREAD, { problems: [down] });
    if (!knows(tool))
      return refuse("tool-changed", "it has changed since the query began. Ask again");
    const defect = strictChecks(tool, "inputSchema")?.(args);
    if (defect === undefined) return entry;
    const message = `The arguments of ${tool.id} were not sent: ${defect}. Send only what its inputSchema describes.`;
    return new ToolrailError("invalid-arguments", message);
  };

  return {
    host,
    judge,
    /** The reason why no tool may be called. Absent if calls are possible. */
    problem,
    /** The tools on offer: the same array until a list of the host changes. */
    get tools() {
      return read().tools;
    },
    /** Checks a call. Its options have the gate of its query. */
    async admit(request: CallRequest, options: CallOptions): Promise<CallVerdict> {
      const { tool: name } = request;
      try {
        // Reads the server's list again, since it may have changed without a notification.
        await host.refresh(typeof name === "string" ? host.find(name).server : name.server);
      } catch {
        // An unknown tool or server is refused by the host below.
      }
      const verdict = await host.check(request, options);
      if (verdict.type !== "refuse" || verdict.error.code !== "unknown-tool") return verdict;
      // The planner reads this message, so it names only tools on offer.
      const offered = read().tools.slice(0, MAX_OFFERED);
      const ids = offered.map(({ id }) => id).join(", ") || "none";
      const message = `"${quoted(toolText(name))}" names no tool, or several. Tools on offer: ${ids}.`;
      return { type: "refuse", error: new ToolrailError("unknown-tool", message) };
    },
  };
}

const toolName = /* @__PURE__ */ z.string().regex(/\S/, "must be the name of a tool");
const NAMES = /* @__PURE__ */ z.array(toolName).min(1, "is empty");
const ENTRIES = /* @__PURE__ */ z
  .record(toolName, z.enum(["allow", "ask"]))
  .refine((entries) => Object.keys(entries).length > 0, "is empty");

/**
 * Reads an operator's list. An incomplete or invalid list denies every tool, and `problem` contains the reason. An exact name
 * goes before a pattern, and `"ask"` before `"allow"`.
 */
export function parseAllowlist(input: unknown) {
  const { value = [], defect } = Array.isArray(input)
    ? readShape(NAMES, input)
    : readShape(ENTRIES, input);
  const rules: (readonly [name: string, entry: AllowlistEntry])[] = Array.isArray(value)
    ? value.map((name) => [name, "allow"])
    : Object.entries(value);
  const exact = rules.filter(([name]) => !name.includes("*"));
  const patterns = rules
    .filter(([name]) => name.includes("*"))
    .map(([name, entry]) => ({ matches: toPattern(name, "allow"), entry }));
  return {
    problem: defect && `No tool is allowed, since \`allow\` is wrong: ${defect}.`,
    names: rules.map(([name]) => name),
    /** Finds the allowed tools among all tools of a host, and the names that match several of them. */
    findEntries(tools: readonly Tool[]) {
      const entries = new Map<Tool, AllowlistEntry>();
      const ambiguous = new Map<string, readonly Tool[]>();
      const add = (tool: Tool, entry: AllowlistEntry) => {
        if (entries.get(tool) !== "ask") entries.set(tool, entry);
      };
      // A name first matches a tool's id, then a bare name. If two tools have it, neither is allowed by it or by a pattern.
      for (const [name, entry] of exact) {
        const byId = tools.filter(({ id }) => id === name);
        const meant = byId.length > 0 ? byId : tools.filter((tool) => tool.name === name);
        if (meant.length > 1) ambiguous.set(name, meant);
        else for (const tool of meant) add(tool, entry);
      }
      const decided = new Set([...entries.keys(), ...[...ambiguous.values()].flat()]);
      const others = tools.filter((tool) => !decided.has(tool));
      for (const { matches, entry } of patterns)
        for (const tool of others.filter(matches)) add(tool, entry);
      return { entries, ambiguous: [...ambiguous.keys()] };
    },
  };
}
