import { createHost, type Host, type HostOptions } from "@toolrail/core";
import type { ModelMessage } from "ai";
import {
  asking,
  createTestServer,
  type TestServer,
  type TestTool,
} from "../../core/test/servers.ts";
import { withChaining } from "../src/index.ts";
import type { ScriptedModel } from "./majors.ts";

/** A server `bank` and a host on it. */
export async function openBank(
  tools: Record<string, TestTool>,
  options: Partial<HostOptions> = {},
): Promise<{ server: TestServer; host: Host }> {
  const server = await createTestServer(tools);
  return { server, host: await openHost(server, options) };
}

/** Another host on the same server, as another process has it. It listens: what is for the user is shown. */
export function openHost(
  server: TestServer,
  { use = [], ...options }: Partial<HostOptions> = {},
): Promise<Host> {
  return createHost({
    servers: { bank: server.client },
    use: [{ name: "listener", onHop: () => {} }, ...use],
    ...options,
  });
}

/** A policy that leaves these tools to a person. */
export function asksFor(...names: string[]): Partial<HostOptions> {
  return { authorize: ({ tool }) => (names.includes(tool.name) ? "ask" : "allow") };
}

/** Settings of a run under `withChaining`, with a prompt where there are no messages. */
export function chained(host: Host, model: ScriptedModel, more: object = {}) {
  const settings = withChaining(host, { model: model.model, ...more });
  return ("messages" in more ? settings : { prompt: "hi", ...settings }) as typeof settings & {
    prompt: string;
  };
}

export const USER: ModelMessage = { role: "user", content: "hi" };

export const FOR_USER = { annotations: { audience: ["user"] } };

export const NUMBER = {
  inputSchema: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
};

export const text = (value: string, extra = {}) => ({ type: "text", text: value, ...extra });

/** `a` leads to `b`, and `b` to `c`. */
export const CHAIN: Record<string, TestTool> = {
  a: { answer: () => asking("b", { id: 1 }, "a result") },
  b: { definition: NUMBER, answer: () => asking("c", { id: 2 }, "b result") },
  c: { definition: NUMBER, answer: () => ({ content: [text("c result")] }) },
};
