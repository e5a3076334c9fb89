import type { HostOptions } from "@toolrail/core";
import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import { withSingleStep } from "../src/guard/index.ts";
import { createTools, withChaining } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { CHAIN, openBank } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";

const CONTEXT = { user: "u1" };

/** A host that notes the context of each call, and asks nobody. Policies may be asked twice about one call. */
async function open(options: Partial<HostOptions> = {}) {
  const seen: [string, unknown][] = [];
  const { host } = await openBank(CHAIN, {
    authorize: ({ tool, context }) => {
      if (seen.at(-1)?.[0] !== tool.name) seen.push([tool.name, context]);
      return "allow";
    },
    ...options,
  });
  return { host, seen };
}

const told = (...tools: string[]) => tools.map((tool) => [tool, CONTEXT]);

describe.each(majors)("on $name", (major) => {
  const { sdk } = major;
  const stopWhen = sdk.stepCountIs(6);
  /** As the application tells each major who calls. */
  const telling = (...tools: string[]) =>
    major.name === "ai 6"
      ? { experimental_context: CONTEXT }
      : { toolsContext: Object.fromEntries(tools.map((tool) => [tool, CONTEXT])) };
  const script = () => scriptModel(major, [{ tool: "a" }], ["done"]);
  const settings = () => ({ model: script().model, prompt: "hi", stopWhen });

  it("createTools passes on what the SDK was told of who calls, to the whole chain.", async () => {
    const { host, seen } = await open();
    const tools = createTools(host);
    await sdk.generateText({ ...settings(), tools, ...telling("a") } as never);
    expect(seen).toEqual(told("a", "b", "c"));
  });

  it("createTools takes a context of its own, and what the SDK was told goes before it.", async () => {
    const { host, seen } = await open();
    const tools = createTools(host, { context: "own" });
    await sdk.generateText({ ...settings(), tools });
    expect(seen.splice(0).map(([, context]) => context)).toEqual(["own", "own", "own"]);
    await sdk.generateText({ ...settings(), tools, ...telling("a") } as never);
    expect(seen).toEqual(told("a", "b", "c"));
  });

  it.runIf(major.name === "ai 7").each([
    ["one function", () => undefined],
    ["a function by name", { a: () => undefined }],
  ])("withChaining passes on what the SDK was told if toolApproval is %s.", async (_, own) => {
    const { host, seen } = await open();
    const chained = withChaining(host, { ...settings(), toolApproval: own }) as object;
    await sdk.generateText({ ...chained, ...telling("a", "b", "c") } as never);
    expect(seen).toEqual(told("a", "b", "c"));
  });

  it("withChaining passes it to each hop and to rules, and keeps it out of messages.", async () => {
    const { host, seen } = await open({
      use: [
        rules([
          {
            after: "bank.a",
            overrides: true,
            when: ({ context }) => Object(context).user === "u1",
            next: { tool: "bank.c", arguments: { id: 3 } },
          },
        ]),
      ],
    });
    const model = script();
    const chaining = { context: CONTEXT };
    const result = await sdk.generateText(
      withChaining(host, { model: model.model, prompt: "hi", chaining }),
    );
    expect(seen).toEqual(told("a", "c"));
    expect(JSON.stringify([model.prompts, result.response.messages])).not.toContain("u1");
  });

  it("mcp_pipe and the guard pass it on.", async () => {
    const { host, seen } = await open();
    const spec = { steps: [{ id: "s", tool: "c", args: { id: 1 } }] };
    await sdk.generateText({
      model: scriptModel(major, [{ tool: "mcp_pipe", input: spec }], ["done"]).model,
      tools: createPipeTool(host, { context: CONTEXT }),
      prompt: "hi",
      stopWhen,
    });
    expect(seen.splice(0)).toEqual(told("c"));
    const singleStep = { allow: { "bank.*": "allow" }, contract: "off", context: CONTEXT } as const;
    const guarded = { model: script().model, prompt: "hi", singleStep };
    await sdk.generateText(withSingleStep(host, guarded));
    expect(seen).toEqual(told("a"));
  });
});
