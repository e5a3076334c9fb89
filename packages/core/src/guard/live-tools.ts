import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/create-host.ts";
import type { HostTool, ToolName } from "../host/tool.ts";
import { definitionHash } from "./fingerprint.ts";

/** Reads the list of the server that is about to be called, so that a change is seen before the call. */
export async function relistServer(host: Host, name: ToolName): Promise<void> {
  try {
    await host.refresh(host.find(name).server);
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    // No such tool: the gates say so.
  }
}

/** A list that could not be read is no live list. */
export function listProblem(host: Host, tool: HostTool): ToolrailError | undefined {
  const failed = host.problems.find(
    ({ server, code }) => server === tool.server && code === "list-failed",
  );
  return failed && new ToolrailError("server-unavailable", failed.message, { data: failed });
}

/** A tool must be what it was, by its hash. */
export function toolChange(tool: HostTool, before: string | undefined): ToolrailError | undefined {
  if (before === definitionHash(tool)) return undefined;
  const message = `${tool.id} was changed since the query began, so it was not called. Ask again.`;
  return new ToolrailError("tool-changed", message);
}
