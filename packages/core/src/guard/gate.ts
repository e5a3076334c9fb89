import { createSchemaChecks } from "../call/value-checks.ts";
import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { engineOf } from "../host/host-engine.ts";
import { closeSchema } from "../json/input-schema.ts";
import { quoted } from "../json/plain-text.ts";
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

/** Creates a guard's stage of a call: the tools that it offers, and its checks. */
export function createGuardGate(host: Host, { allow, contract = "enforce" }: SingleStepOptions) {
  const { findEntries: entriesOf, names, problem } = parseAllowlist(allow);
  const { hasParser, validator, watchNames, warn } = engineOf(host);
  void watchNames("allow of the guard", names);
  let strictChecks: ReturnType<typeof createSchemaChecks> | undefined;
  /** Returns the reason why a tool cannot be called, even if it is on the list. */
  const findFlaw = (tool: Tool): ToolrailError | undefined => {
    const { id, name, forModel, outputSchema } = tool;
    if (!forModel) return new ToolrailError("not-allowed", `${id} is only for the application.`);
    if (name === PIPE_TOOL) {
      const message = `${id} cannot be called here: it runs a pipe that the model writes, and a query makes one call. Offer your own pipe instead.`;
      return new ToolrailError("not-allowed", message);
    }
    if (contract === "off" || outputSchema || hasParser(tool)) return undefined;
    const remedy = 'register a parser for it under `schemas`, or set contract: "off"';
    const message = `${id} has no outputSchema, so its output cannot be checked: add one on the server, ${remedy}.`;
    return new ToolrailError("quarantined-tool", message);
  };
  const readList = (listed: readonly Tool[]) => {
    const entries = entriesOf(listed);
    const tools = listed.filter((tool) => entries.has(tool) && !findFlaw(tool));
    if (problem !== undefined || tools.length < entries.size) warn("guard-offers-less");
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
    if (flaw) return flaw;
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
