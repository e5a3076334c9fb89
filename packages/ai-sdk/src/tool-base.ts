import type { Host, HostTool } from "@toolrail/core";
import { toInputSchema } from "./input-schema.ts";
import type { InputSchema } from "./sdk-types.ts";

/** What all tools of ours have in common: the server's own words and schema. */
export function toToolBase(host: Host, tool: HostTool) {
  const { title, description } = tool;
  const inputSchema: InputSchema = toInputSchema(host, tool);
  return {
    type: "dynamic" as const,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
  };
}

/**
 * Tells a listener of a call that was made. What it throws is dropped: the call must not look as if it
 * had failed, since a model would repeat it.
 */
export async function notify<Event>(
  listener: ((event: Event) => void | PromiseLike<void>) | undefined,
  event: Event,
): Promise<void> {
  try {
    await listener?.(event);
  } catch {
    // See above.
  }
}
