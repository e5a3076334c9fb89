import { createHost, type Host, type HostEvent } from "@toolrail/core";
import { expect, onTestFinished } from "vitest";
import {
  createTestServer,
  type TestServer,
  type TestTool,
} from "../../packages/core/test/servers.ts";
import type { ChainOutcome, ScenarioOptions } from "./harness.ts";

export interface Scenario<Name extends string = string> {
  readonly host: Host;
  readonly servers: Readonly<Record<Name, TestServer>>;
  readonly events: readonly HostEvent[];
}

/** A host over real servers in memory, closed when the test is over. */
export async function openScenario<const Name extends string>(
  tools: Readonly<Record<Name, Record<string, TestTool>>>,
  options: ScenarioOptions = {},
): Promise<Scenario<Name>> {
  const names = Object.keys(tools) as Name[];
  const opened = await Promise.all(
    names.map(async (name) => [name, await createTestServer(tools[name])] as const),
  );
  const servers = Object.fromEntries(opened) as Record<Name, TestServer>;
  const events: HostEvent[] = [];
  const host = await createHost({
    ...options,
    servers: Object.fromEntries(opened.map(([name, { client }]) => [name, client])),
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  onTestFinished(() => host.close());
  return { host, servers, events };
}

/** The tools that were called, in order, as the application sees them. */
export function hopNames(outcome: ChainOutcome): string[] {
  return outcome.hops.map(({ server, tool }) => `${server}.${tool}`);
}

/** Expects that reason wherever the implementation can say it. */
export function expectEnded(outcome: ChainOutcome, ended: ChainOutcome["ended"]): void {
  if (outcome.ended !== undefined) expect(outcome.ended).toBe(ended);
}

/** All text that the model read, one block to a line. */
export function readText(outcome: ChainOutcome): string {
  return outcome.modelRead.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
