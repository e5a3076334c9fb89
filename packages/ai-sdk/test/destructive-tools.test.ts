import type { Host } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, type TestTool } from "../../core/test/servers.ts";
import { withSingleStep } from "../src/guard/index.ts";
import { createTools, withChaining } from "../src/index.ts";
import type { CallerOptions } from "../src/tools/sdk-tool.ts";
import { openBank, USER } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { answerTo } from "./reading.ts";
import { generate, runs } from "./runs.ts";

const TOOLS: Record<string, TestTool> = {
  tidy: { answer: () => asking("wipe", { n: 1 }) },
  wipe: {
    definition: {
      annotations: { destructiveHint: true },
      inputSchema: { type: "object", properties: { n: { type: "number" } } },
      outputSchema: { type: "object" },
    },
    answer: () => ({ content: [], structuredContent: { wiped: true } }),
  },
};

type Compose = (host: Host, model: unknown) => object;
const ways: [string, string, Compose][] = [
  ["createTools", "wipe", (host, model) => ({ model, tools: createTools(host) })],
  ["withChaining", "wipe", (host, model) => withChaining(host, { model })],
  ["withChaining, at a hop", "tidy", (host, model) => withChaining(host, { model })],
  [
    "withSingleStep",
    "wipe",
    (host, model) => withSingleStep(host, { model, singleStep: { allow: ["bank.wipe"] } }),
  ],
];

describe.each(majors)("a destructive tool on $name", (major) => {
  it.each(ways)(
    "waits for an approval by default, and is called after it (%s).",
    async (_, tool, compose) => {
      const { server, host } = await openBank(TOOLS);
      const run = (messages: unknown[], turn: readonly unknown[] = []) => {
        const { model } = scriptModel(major, ...(turn as never[]), ["final"]);
        const stopWhen = major.sdk.stepCountIs(4);
        return generate(major, { stopWhen, ...compose(host, model), messages } as never);
      };
      const asked = [USER, ...(await run([USER], [[{ tool }]])).messages];
      expect(server.calls).not.toContain("wipe");
      expect(JSON.stringify(asked)).toContain("tool-approval-request");
      await run([...asked, answerTo(asked, true)]);
      expect(server.calls.at(-1)).toBe("wipe");
    },
  );

  it.each(runs)(
    "tells onAsk of each call of one turn that waits, once ($name).",
    async ({ run }) => {
      for (const way of ["createTools", "withChaining"]) {
        const { server, host } = await openBank(TOOLS);
        const told: unknown[] = [];
        const options: CallerOptions = {
          onAsk: ({ toolCallId, tool }) => void told.push([toolCallId, tool.name]),
        };
        const turn = [1, 2, 3].map((n) => ({ tool: "wipe", input: { n } }));
        const { model } = scriptModel(major, turn, ["final"]);
        const settings =
          way === "createTools"
            ? { model, tools: createTools(host, options) }
            : withChaining(host, { model, chaining: options });
        await run(major, { ...settings, prompt: "hi" } as never);
        expect(told.toSorted()).toEqual([1, 2, 3].map((n) => [`call-${n}`, "wipe"]));
        expect(server.calls).toEqual([]);
      }
    },
  );
});
