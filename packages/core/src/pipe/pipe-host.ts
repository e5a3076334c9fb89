import type { ChainResult } from "../chain/chain-result.ts";
import type { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { HostEvent } from "../host/events.ts";
import type { HostTool, ToolName } from "../host/tool.ts";

/** What a pipe needs of a host; every `Host` has it. */
export interface PipeHost {
  readonly tools: readonly HostTool[];
  find(tool: ToolName): HostTool;
  /** Why the arguments would not be sent, or `undefined`; asks nobody. */
  checkArguments(request: CallRequest): ToolrailError | undefined;
  /** Makes a call and its chain. Never rejects, unless to pause the run as a whole. */
  run(request: CallRequest, options?: CallOptions): Promise<ChainResult>;
  /** Takes the events of a pipe. */
  readonly report?: ((event: HostEvent) => void) | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
}
