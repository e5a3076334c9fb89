import { onTestFinished } from "vitest";
import { createHost, type Host, type HostEvent, type HostOptions } from "../../src/index.ts";
import { createTestServer, type TestServer, type TestTool } from "../servers.ts";

/** A host over one real server in memory, named `web`, and what it reports. */
export async function openPipeHost(
  tools: Record<string, TestTool>,
  options: Omit<HostOptions, "servers"> = {},
): Promise<{ host: Host; web: TestServer; events: HostEvent[] }> {
  const web = await createTestServer(tools);
  const events: HostEvent[] = [];
  const host = await createHost({
    ...options,
    servers: { web: web.client },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => host.close());
  return { host, web, events };
}

/** Answers with its arguments, as `structuredContent` and as text. */
export const echo: TestTool = {
  answer: ({ arguments: args }) => ({
    content: [{ type: "text", text: JSON.stringify(args) }],
    structuredContent: args,
  }),
};

/** Answers with an error that has that text. */
export function failing(text: string): TestTool {
  return { answer: () => ({ content: [{ type: "text", text }], isError: true }) };
}

/** A step that echoes a value; without one, its own id. */
export function say(id: string, v: unknown = id) {
  return { id, tool: "echo", args: { v } };
}
