import type { HostTool } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { engineOf } from "../host/host-engine.ts";
import { PIPE_TOOL_NAME } from "../pipe/compile-tool-step.ts";
import { type AllowlistEntry, parseAllowlist } from "./allowlist.ts";
import type { SingleStepOptions } from "./single-step.ts";

/** The tools of a host that guarded queries may call: the operator's list, read again only for other tools. */
export function createOfferedTools(host: Host, options: SingleStepOptions) {
  const { contract = "enforce" } = options;
  const { entriesOf, problem } = parseAllowlist(options.allow);
  const { hasParser } = engineOf(host);
  let listed: readonly HostTool[] = [];
  let entries = entriesOf(listed);
  let tools = listed;
  const read = () => {
    const now = host.tools;
    if (now.length === listed.length && now.every((tool, at) => tool === listed[at])) return;
    listed = now;
    entries = entriesOf(now);
    tools = now.filter((tool) => entries.has(tool) && !flawOf(tool));
  };
  const flawOf = ({ id, name, forModel, outputSchema }: HostTool): ToolrailError | undefined => {
    if (!forModel) return new ToolrailError("not-allowed", `${id} is only for the application.`);
    if (name === PIPE_TOOL_NAME) {
      const message = `${id} cannot be called here: it runs a pipe that the model writes, and a query makes one call. Offer your own pipe instead.`;
      return new ToolrailError("not-allowed", message);
    }
    if (contract === "off" || outputSchema || hasParser(id)) return undefined;
    const how = 'register a parser for it under `schemas`, or set contract: "off"';
    const message = `${id} has no outputSchema, so its output cannot be checked: add one on the server, ${how}.`;
    return new ToolrailError("quarantined-tool", message);
  };
  return {
    /** The same array until a list of the host changes. */
    get tools() {
      read();
      return tools;
    },
    /** Why nothing may be called. Absent where something may. */
    problem,
    /** The operator's entry for a tool, or the error that refuses it. */
    judge(tool: HostTool): AllowlistEntry | ToolrailError {
      read();
      const message = `${tool.id} is not on the allowlist. Add it there if a planner may call it.`;
      const entry = entries.get(tool);
      if (!entry) return new ToolrailError("not-on-allowlist", problem ?? message);
      return flawOf(tool) ?? entry;
    },
  };
}
