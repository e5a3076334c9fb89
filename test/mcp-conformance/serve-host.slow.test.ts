import { McpServer } from "@modelcontextprotocol/server";
import { createHost } from "@toolrail/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveHttp } from "../../packages/cli/src/serve/serve-http.ts";
import { serveHost } from "../../packages/server/src/index.ts";
import { runServerSuite } from "./run-suite.ts";
import { testedServer } from "./tested-server.ts";

/** What the suite asks of servers that a host has: its tools, their content and progress, and what they ask users. */
const COMMON = [
  "dns-rebinding-protection",
  "json-schema-2020-12",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-error",
  "tools-call-image",
  "tools-call-mixed-content",
  "tools-call-simple-text",
  "tools-call-with-progress",
  "tools-list",
];
const SCENARIOS = {
  "2025-11-25": [
    ...COMMON,
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "ping",
    "server-initialize",
    "server-session-lifecycle",
    "tools-call-elicitation",
  ],
  "2026-07-28": [
    ...COMMON,
    "http-header-validation",
    "input-required-result-basic-elicitation",
    "input-required-result-ignore-extra-params",
    "input-required-result-missing-input-response",
    "input-required-result-multi-round",
    "input-required-result-request-state",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-validate-input",
    "server-stateless",
  ],
} as const;

/** What a host never does: it asks no client for the words of a model. */
const SAMPLING = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
];

/** One server for all scenarios, over HTTP as `toolrail serve` serves it. */
async function serve(): Promise<string> {
  const host = await createHost({ servers: { tested: testedServer }, authorize: () => "allow" });
  const create = () => {
    const server = new McpServer({ name: "toolrail", version: "1" });
    serveHost(server, host);
    return server;
  };
  const listening = await serveHttp(create, 0);
  onTestFinished(async () => {
    await listening.close();
    await host.close();
  });
  return listening.url;
}

describe("a host that is served, in the official conformance suite of MCP", () => {
  it.each(["2025-11-25", "2026-07-28"] as const)(
    "does what MCP %s asks of a server",
    async (revision) => {
      const verdicts = await runServerSuite(await serve(), {
        revision,
        scenarios: SCENARIOS[revision],
      });
      for (const scenario of SCENARIOS[revision]) {
        const found = verdicts.get(scenario) ?? [];
        const judged = found
          .filter(({ status }) => status === "SUCCESS" || status === "FAILURE")
          .filter(({ id }) => !SAMPLING.includes(id));
        expect.soft(judged.length, `${scenario} ran`).toBeGreaterThan(0);
        const failed = judged.filter(({ status }) => status === "FAILURE");
        expect
          .soft(
            failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
            scenario,
          )
          .toEqual([]);
      }
    },
  );
});
