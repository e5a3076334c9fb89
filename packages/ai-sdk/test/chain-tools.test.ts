import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { llmSteps } from "../src/index.ts";
import { CHAIN, chained, openBank } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { toolOutputs, track } from "./reading.ts";
import { generate } from "./runs.ts";

const APP_ONLY = { definition: { _meta: { ui: { visibility: ["app"] } } } };

describe.each(majors)("tools under withChaining on $name", (major: Major) => {
  it("Tools that are app-only or filtered out are hidden from the model and reached by hops.", async () => {
    const { server, host } = await openBank({
      a: { answer: () => asking("hidden") },
      hidden: { ...APP_ONLY, answer: () => asking("other") },
      other: {},
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const result = await generate(major, chained(host, model, { chaining: { tools: ["bank.a"] } }));
    expect(server.calls).toEqual(["a", "hidden", "other"]);
    expect(track(result)).toEqual(["model[a]", "hop[hidden]", "hop[other]", "model[]"]);
    expect(model.offered).toEqual([["a"], ["a"]]);
  });

  it("The model cannot call an app-only tool, whatever the caller activates.", async () => {
    const { server, host } = await openBank({ a: {}, hidden: APP_ONLY });
    const model = scriptModel(major, [{ tool: "hidden" }], ["final"]);
    await generate(major, chained(host, model, { activeTools: ["a", "hidden"] }));
    expect(server.calls).toEqual([]);
    expect(model.offered).toEqual([["a"], ["a"]]);
  });

  it("The caller's tools, activeTools and prepareStep stay as they are.", async () => {
    const { host } = await openBank({ ...CHAIN, z: {} });
    const seen: number[] = [];
    const local = major.sdk.tool({
      inputSchema: major.sdk.jsonSchema({ type: "object" }),
      execute: async () => "local result",
    });
    const model = scriptModel(major, [{ tool: "a" }, { tool: "local" }], ["final"]);
    const result = await generate(
      major,
      chained(host, model, {
        tools: { local, unused: local },
        activeTools: ["a", "local"],
        prepareStep: ({ stepNumber }: { stepNumber: number }) => {
          seen.push(stepNumber);
          return stepNumber > 0 ? { activeTools: ["z", "b"], temperature: 0.5 } : undefined;
        },
      }),
    );
    expect(track(result)).toEqual(["model[a,local]", "hop[b]", "hop[c]", "model[]"]);
    expect(seen).toEqual([0, 3]);
    expect(model.offered.map((names) => names.toSorted())).toEqual([
      ["a", "local"],
      ["b", "z"],
    ]);
    expect(model.model.doGenerateCalls.map(({ temperature }) => temperature)).toEqual([
      undefined,
      0.5,
    ]);
  });

  it("Tools of one name on two servers are kept apart, by the model and by hops.", async () => {
    const search = (text: string) => ({ answer: () => ({ content: [{ type: "text", text }] }) });
    const web = await createTestServer({ search: search("web result") });
    const docs = await createTestServer({
      start: { answer: () => asking("search", {}, "docs start") },
      search: search("docs result"),
    });
    const host = await createHost({ servers: { web: web.client, docs: docs.client } });
    const model = scriptModel(major, [{ tool: "docs_start" }, { tool: "web_search" }], ["final"]);
    await generate(major, chained(host, model));
    expect(model.offered[0]?.toSorted()).toEqual(["docs_search", "docs_start", "web_search"]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { value: "docs_start:\ndocs start\nThen docs_search was called:\ndocs result" },
      { value: "web result" },
    ]);
  });

  it("Settings that were composed for one host are refused for another.", async () => {
    const { host } = await openBank(CHAIN);
    const { host: other } = await openBank({ x: {} });
    const model = scriptModel(major, ["final"]);
    expect(() => chained(other, model, chained(host, model))).toThrow(
      /Put all servers on one host/,
    );
  });

  it("A tool of the caller with the name of one of the host's is refused.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, ["final"]);
    expect(() => chained(host, model, { tools: { b: {} } })).toThrow(/leave out or rename b/);
  });

  it.each(["required", { type: "tool", toolName: "a" }])(
    "A tool that toolChoice %j forces does no harm to hops.",
    async (toolChoice) => {
      const { host } = await openBank(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }]);
      const settings = chained(host, model, { toolChoice, stopWhen: llmSteps(1) });
      expect(track(await generate(major, settings))).toEqual(["model[a]", "hop[b]", "hop[c]"]);
    },
  );
});
