import { createValidator } from "#validator";
import type { Admission, Gate, GateVerdict } from "../call/admission.ts";
import type { CallOptions, CallRequest } from "../call/call-request.ts";
import { type HostTool, type ToolName, toolText } from "../call/tool.ts";
import type { ToolCall } from "../call/tool-call.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { quoted } from "../plain-text.ts";
import { rememberTools } from "./known-tools.ts";
import { createOfferedTools } from "./offered-tools.ts";
import type { QueryState } from "./query-phase.ts";
import type { SingleStepOptions } from "./single-step.ts";
import { toStrictSchema } from "./strict-schema.ts";

export type GuardGate = ReturnType<typeof createGuardGate>;

/** The checks of a single step, which the door makes as one stage of its walk. */
export function createGuardGate(host: Host, options: SingleStepOptions) {
  const offered = createOfferedTools(host, options);
  const given = new WeakMap<Admission, string>();
  const validator = createValidator({ strict: true });
  const strictChecks = createSchemaChecks({
    getValidator: (schema) => validator.getValidator(toStrictSchema(schema)),
  });

  const judge = async (
    { tool, arguments: args }: ToolCall,
    known: ReturnType<typeof rememberTools>,
  ): Promise<GateVerdict> => {
    const { id, server } = tool;
    const verdict = offered.judge(tool);
    if (ToolrailError.isInstance(verdict)) return verdict;
    // Tools of a list that could not be read are not known to be what they were.
    const down = host.problems.find((one) => one.server === server && one.code === "list-failed");
    if (down) {
      const message = `${id} was not called: the tools of its server could not be read. Try again later.`;
      return new ToolrailError("server-unavailable", message, { data: { problems: [down] } });
    }
    if (!(await known.isUnchanged(tool))) {
      const message = `${id} has changed since the query began, so it was not called. Ask again.`;
      return new ToolrailError("tool-changed", message);
    }
    const defect = strictChecks(tool, "inputSchema")?.(args);
    if (defect === undefined) return verdict;
    const message = `The arguments of ${id} were not sent: ${defect}. Send only what its inputSchema describes.`;
    return new ToolrailError("invalid-arguments", message);
  };
  /** A server may change its tools without a notification: its list is read right before the call. */
  const relist = async (name: ToolName): Promise<void> =>
    host.refresh(typeof name === "string" ? host.find(name).server : name.server);

  return {
    host,
    offered,
    /** The checks of one query, which holds on to the tools as they are now, or as they were kept with it. */
    enter({ id: runId, tools: kept }: QueryState) {
      const known = rememberTools(offered.tools, kept);
      const gate: Gate = (call) => judge(call, known);
      return {
        known,
        /** Reads the list of the tool's server again and asks the door. Never rejects. */
        async admit(request: CallRequest, options: CallOptions): Promise<Admission> {
          const { origin = { by: "model" }, signal, approved, scope, userText, context } = options;
          await relist(request.tool).catch(() => {}); // No such tool or server: the door says so.
          let admission = await host.check(request, {
            origin,
            signal,
            approved,
            scope,
            context,
            userText,
            runId,
            gate,
          });
          if (admission.type === "refuse" && admission.error.code === "unknown-tool") {
            admission = { type: "refuse", error: unknownTool(request.tool, offered.tools) };
          }
          given.set(admission, runId);
          return admission;
        },
        /** The admission if it was given for this query, else a refusal. */
        take(admission: Admission): Admission {
          if (given.get(admission) === runId) return admission;
          const message = "The admission is not from this query's `check`; call `check` first.";
          return { type: "refuse", error: new ToolrailError("invalid-options", message) };
        },
      };
    },
  };
}

/** The planner reads it: only tools on offer are named. */
function unknownTool(name: ToolName, tools: readonly HostTool[]): ToolrailError {
  const ids = tools.slice(0, 12).map(({ id }) => id);
  const message = `There is no tool "${quoted(toolText(name))}". Tools on offer: ${ids.join(", ") || "none"}.`;
  return new ToolrailError("unknown-tool", message);
}
