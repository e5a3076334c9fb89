import type { Host } from "@toolrail/core";
import { createSingleStep } from "@toolrail/core/guard";
import { type OfflineModel, startOfflineModel } from "@toolrail/example-offline-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAiSdk, askCreateAgent, askGraph, drawGraph } from "../src/both-frameworks.ts";
import { ALLOW, openHost } from "../src/open-host.ts";
import { plannerRules } from "../src/planner-rules.ts";
import { playChangedTool, playScene, scenes } from "../src/scenes.ts";

let host: Host;
let model: OfflineModel;

beforeAll(async () => {
  [host, model] = await Promise.all([openHost(), startOfflineModel({ rules: plannerRules })]);
});

afterAll(async () => {
  await host.close();
  await model.close();
});

describe("the guarded host", () => {
  it("offers the tools that keep their contract and are on the list", () => {
    const guard = createSingleStep(host, { allow: ALLOW });
    expect(guard.tools.map(({ id }) => id)).toEqual([
      "documents.fetch_document",
      "tickets.get_ticket",
      "tickets.close_ticket",
      "policies.find_policy",
    ]);
    expect(host.problems).toMatchObject([{ server: "documents", tool: "scratch" }]);
  });

  it.each(scenes)("answers: $title", async (scene) => {
    const { outcome } = await playScene(host, model.url, scene);
    expect(outcome.code).toBe(scene.expected);
  });

  it("keeps the grounded claims and rejects the changed number", async () => {
    const [handbook] = scenes;
    if (!handbook) throw new Error("There is no scene.");
    const { summary } = await playScene(host, model.url, handbook);
    expect(summary?.summary.bullets).toHaveLength(2);
    expect(summary?.rejected).toMatchObject([
      { section: "bullets", index: 2, code: "fact-not-in-evidence" },
    ]);
  });

  it("does not call a tool that changed since it was approved, and names what changed", async () => {
    const { outcome } = await playChangedTool(model.url);
    expect(outcome).toMatchObject({ verdict: "block", code: "quarantined-tool" });
    expect(outcome.message).toContain("its description changed since it was approved");
  });
});

describe("the same host", () => {
  it.each([
    { framework: "the AI SDK", ask: askAiSdk },
    { framework: "createAgent", ask: askCreateAgent },
    { framework: "the graph", ask: askGraph },
  ])("makes one call behind $framework for a model that asks for three", async ({ ask }) => {
    const called: string[] = [];
    const watched = new Proxy(host, {
      get(target, key: keyof Host) {
        if (key !== "call") return target[key];
        return (...parameters: Parameters<Host["call"]>) => {
          const [asked] = parameters;
          called.push(host.find(asked.tool).id);
          return target.call(...parameters);
        };
      },
    });
    const text = await ask(watched, model.url);
    expect(text).toContain("1,250 customers");
    expect(called).toEqual(["tickets.get_ticket"]);
  });

  it("is drawn as a graph with its gates", async () => {
    expect(await drawGraph(host, model.url)).toContain("make_call");
  });
});
