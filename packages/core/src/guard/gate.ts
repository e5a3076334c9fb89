import { createSchemaChecks } from "../call/value-checks.ts";
import { ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { engineOf } from "../host/host-engine.ts";
import { closeSchema } from "../json/input-schema.ts";
import { quoted, shorten } from "../json/plain-text.ts";
import { createValidator, generatesCode, type JsonSchemaValidator } from "../json/validator.ts";
import type { CallOptions, CallRequest, CallVerdict, GateVerdict } from "../types/call-options.ts";
import { isUnread, type Tool, toolText } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { parseAllowlist } from "./allowlist.ts";
import type { KnownTools } from "./query-state.ts";
import type { SingleStepOptions } from "./types.ts";

export type GuardGate = ReturnType<typeof createGuardGate>;

/** The tool with which a model writes a pipe: it would make many calls instead of one. */
const PIPE_TOOL = "mcp_pipe";

/** The most tools that a warning names. */
const MAX_NAMED = 5;

interface Flaw {
  readonly reason: string;
  readonly error: ToolrailError;
}

/** Creates a guard's stage of a call: the tools that it offers, and its checks. */
export function createGuardGate(host: Host, { allow, contract = "enforce" }: SingleStepOptions) {
  const { findEntries, names, problem } = parseAllowlist(allow);
  const { hasParser, validator, watchNames, warn } = engineOf(host);
  void watchNames("allow of the guard", names);
  let strictChecks: ReturnType<typeof createSchemaChecks> | undefined;
  /** Returns why a tool cannot be called, even if it is on the list: in short, and as the error of its call. */
  const findFlaw = (tool: Tool): Flaw | undefined => {
    const { id, name, forModel, outputSchema } = tool;
    const refuse = (code: ToolrailErrorCode, reason: string, message: string) => {
      return { reason, error: new ToolrailError(code, message) };
    };
    if (!forModel)
      return refuse(
        "not-allowed",
        "for the application alone",
        `${id} is only for the application.`,
      );
    if (name === PIPE_TOOL) {
      const message = `${id} cannot be called here: it runs a pipe that the model writes, and a query makes one call. Offer your own pipe instead.`;
      return refuse("not-allowed", "it makes many calls", message);
    }
    if (contract === "off" || outputSchema || hasParser(tool)) return undefined;
    const remedy = 'register a parser for it under `schemas`, or set contract: "off"';
    const message = `${id} has no outputSchema, so its output cannot be checked: add one on the server, ${remedy}.`;
    return refuse("quarantined-tool", "no output schema and no parser", message);
  };
  const readList = (listed: readonly Tool[]) => {
    const { entries, ambiguous } = findEntries(listed);
    const tools: Tool[] = [];
    const leftOut: string[] = [];
    for (const tool of listed.filter((tool) => entries.has(tool))) {
      const flaw = findFlaw(tool);
      if (flaw) leftOut.push(`${shorten(tool.id)} (${flaw.reason})`);
      else tools.push(tool);
    }
    leftOut.push(...ambiguous.map((name) => `${shorten(name)} (the name of several tools)`));
    if (problem !== undefined) warn("guard-offers-less", problem);
    if (leftOut.length > 0) warn("guard-offers-less", listFirst(leftOut));
    return { listed, entries, tools };
  };
  let known = readList([]);
  /** Reads the operator's list. Reads it again only if the host's tools have changed. */
  const read = () => {
    const { listed } = known;
    const now = host.tools;
    const isSame = now.length === listed.length && now.every((tool, at) => tool === listed[at]);
    if (!isSame) known = readList(now);
    return known;
  };
  const judge = async (
    { tool, arguments: args }: ToolCall,
    { isUnchanged }: KnownTools,
  ): Promise<GateVerdict> => {
    const { id, server } = tool;
    const entry = read().entries.get(tool);
    if (!entry) {
      const message = `${id} is not on the allowlist. Add it there if a planner may call it.`;
      return new ToolrailError("not-on-allowlist", problem ?? message);
    }
    const flaw = findFlaw(tool);
    if (flaw) return flaw.error;
    // The tools of an unread list may have changed.
    const down = host.problems.find((one) => one.server === server && isUnread(one));
    if (down) {
      const message = `${id} was not called: the tools of its server could not be read. Try again later.`;
      return new ToolrailError("server-unavailable", message, { data: { problems: [down] } });
    }
    if (!isUnchanged(tool)) {
      const message = `${id} has changed since the query began, so it was not called. Ask again.`;
      return new ToolrailError("tool-changed", message);
    }
    strictChecks ??= createStrictChecks(validator);
    const defect = strictChecks(tool, "inputSchema")?.(args);
    if (defect === undefined) return entry;
    const message = `The arguments of ${id} were not sent: ${defect}. Send only what its inputSchema describes.`;
    return new ToolrailError("invalid-arguments", message);
  };
  return {
    host,
    /** The reason why no tool may be called. Absent if calls are possible. */
    problem,
    /** The tools on offer: the same array until a list of the host changes. */
    get tools() {
      return read().tools;
    },
    /** Returns the policy of a query that began with the `known` tools. */
    gateOf: (known: KnownTools) => (call: ToolCall) => judge(call, known),
    /** Checks a call. Its options have the gate of its query. */
    async admit(request: CallRequest, options: CallOptions): Promise<CallVerdict> {
      const { tool: name } = request;
      // Reads the server's list again, since it may have changed without a notification.
      const relist = async () =>
        host.refresh(typeof name === "string" ? host.find(name).server : name.server);
      await relist().catch(() => {}); // An unknown tool or server is refused by the host below.
      const checked = await host.check(request, options);
      if (checked.type !== "refuse" || checked.error.code !== "unknown-tool") return checked;
      // The planner reads this message, so it names only tools on offer.
      const ids = read()
        .tools.slice(0, 12)
        .map(({ id }) => id);
      const message = `There is no tool "${quoted(toolText(name))}". Tools on offer: ${ids.join(", ") || "none"}.`;
      return { type: "refuse", error: new ToolrailError("unknown-tool", message) };
    },
  };
}

/** Lists the first of some texts, and counts the others. */
function listFirst(texts: readonly string[]): string {
  const others = texts.length - MAX_NAMED;
  return `${texts.slice(0, MAX_NAMED).join(", ")}${others > 0 ? ` and ${others} more` : ""}.`;
}

/**
 * Creates the checks of arguments that allow nothing that a schema does not describe. Where a runtime forbids the code that the
 * default validator generates, the validator of the host checks them.
 */
function createStrictChecks(validatorOfHost: JsonSchemaValidator) {
  const validator = generatesCode() ? createValidator() : validatorOfHost;
  return createSchemaChecks({
    getValidator: (schema) => validator.getValidator(closeSchema(schema)),
  });
}
