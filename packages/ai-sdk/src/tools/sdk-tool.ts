import type { Admission, CallOptions, HostTool, JsonObject } from "@toolrail/core";
import {
  canonicalJson,
  type FrameworkCall,
  type HostEngine,
  rememberAdmissions,
} from "@toolrail/core/adapter";
import { type FileForm, fileFormOf, toInputSchema } from "../sdk-internals.ts";
import type { ApprovalOptions, SdkTool } from "../sdk-types.ts";
import { isApproved } from "./approval.ts";
import { markOutput } from "./marks.ts";
import { asRecord } from "./messages.ts";
import { toModelOutput } from "./model-output.ts";
import type { ToolOutput } from "./tool-output.ts";

/** A call of a tool that the SDK runs. */
export interface SdkCall extends FrameworkCall {
  readonly request: { readonly tool: HostTool; readonly arguments: JsonObject };
  /** The messages that led to the call. */
  readonly messages: readonly unknown[];
  /** For the host or the guard: who asks, the signal, and what was said of the call before. */
  readonly options: CallOptions;
}

/** What sets a kind of tools apart; everything else is the same for all of them. */
export interface ToolKind<Result> {
  /** With it the SDK refuses invalid arguments, and nothing is sent; without it, `check` and `run` do. */
  readonly checkArguments?: HostEngine["checkArguments"];
  /** The conversation that the calls belong to: without it they have no place. */
  readonly scope?: string | undefined;
  /** Says whether the call may be made, once: an `ask` waits for a person, all else is kept for `run`. */
  check(call: SdkCall): Promise<Admission>;
  run(call: SdkCall): Result;
}

/** These tools by the names that models see. */
export function createSdkTools<Result>(
  tools: readonly HostTool[],
  { checkArguments, scope, check, run }: ToolKind<Result>,
): Record<string, SdkTool<ToolOutput, Result>> {
  const admissions = rememberAdmissions();
  let files: FileForm = "by-kind"; // Until the first call tells.
  const create = (tool: HostTool): SdkTool<ToolOutput, Result> => {
    const { title, description } = tool;
    const toCall = (input: unknown, { toolCallId, messages }: ApprovalOptions) => ({
      // Both majors pass one array to `needsApproval` and to `execute`; else the host is asked twice, without harm.
      run: messages,
      messages,
      toolCallId,
      request: { tool, arguments: input as JsonObject },
      options: {
        origin: { by: "model", toolCallId } as const,
        // Models repeat ids: how often the user has spoken tells their calls apart.
        place: scope && canonicalJson([scope, messages.filter(isUsers).length, toolCallId]),
      },
    });
    return {
      type: "dynamic",
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: toInputSchema(tool.inputSchema, (args) =>
        checkArguments?.({ tool, arguments: args }),
      ),
      async needsApproval(input, options) {
        const call = toCall(input, options);
        const admission = await check(call);
        admissions.keep(call, admission);
        return admission.type === "ask";
      },
      execute(input, options) {
        files = fileFormOf(options);
        const call = toCall(input, options);
        const word = isApproved(call) ? { approved: true } : { admission: admissions.take(call) };
        const signal = options.abortSignal;
        return run({ ...call, options: { ...call.options, signal, ...word } });
      },
      toModelOutput: ({ output }) => markOutput(toModelOutput(output, files), output),
    };
  };
  return Object.fromEntries(tools.map((tool) => [tool.modelName, create(tool)]));
}

function isUsers(message: unknown): boolean {
  return asRecord(message).role === "user";
}
