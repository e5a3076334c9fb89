import { createValidator } from "#validator";
import type { GateVerdict } from "../call/admission.ts";
import { definitionHash } from "../call/definition.ts";
import type { HostTool } from "../call/tool.ts";
import type { ToolCall } from "../call/tool-call.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { createOfferedTools } from "./offered-tools.ts";
import type { ToolHashes } from "./query-phase.ts";
import type { SingleStepOptions } from "./single-step.ts";
import { toStrictSchema } from "./strict-schema.ts";

export type GuardGate = ReturnType<typeof createGuardGate>;

/** The checks of a single step, which the door makes as one stage of its walk. */
export function createGuardGate(host: Host, options: SingleStepOptions) {
  const offered = createOfferedTools(host, options);
  const validator = createValidator({ strict: true });
  const strictChecks = createSchemaChecks({
    getValidator: (schema) => validator.getValidator(toStrictSchema(schema)),
  });
  return {
    host,
    offered,
    /** Judges a call of a query that began with `known` tools. */
    async judge({ tool, arguments: args }: ToolCall, known: KnownTools): Promise<GateVerdict> {
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
    },
  };
}

type KnownTools = ReturnType<typeof rememberTools>;

/** The tools that a query begins with: as they are now, or by the hashes that were kept of an earlier part of it. */
export function rememberTools(tools: readonly HostTool[], kept: ToolHashes | undefined) {
  const hashes = async (): Promise<ToolHashes> => {
    const entries = tools.map(async (tool) => [tool.id, await definitionHash(tool)] as const);
    return kept ?? Object.fromEntries(await Promise.all(entries));
  };
  return {
    hashes,
    /** True where the tool was there and has the same definition now. */
    async isUnchanged(tool: HostTool): Promise<boolean> {
      if (!kept && tools.includes(tool)) return true;
      const before = await hashes();
      return Object.hasOwn(before, tool.id) && before[tool.id] === (await definitionHash(tool));
    },
  };
}
