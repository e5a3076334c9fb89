import { userView } from "@toolrail/core";
import type * as ai7 from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createTools, type HopResult } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { toWorkflowTools } from "../src/workflow.ts";
import { asksFor, CHAIN, FOR_USER, openBank, text } from "./bank.ts";

const OPTIONS = { toolCallId: "call-1", messages: [], context: undefined };

describe("toWorkflowTools", () => {
  it("A call waits for its whole chain and gives the last output.", async () => {
    const { server, host } = await openBank(CHAIN);
    const { a } = toWorkflowTools(createTools(host));
    const output = await a?.execute({}, OPTIONS);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(output).toMatchObject({ ended: "complete", hops: [{}, {}, {}] });
    expect(output && a?.toModelOutput({ output })).toEqual({
      type: "text",
      value: "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result",
    });
  });

  it("What is for the user alone reaches the listener, and neither the model nor the output.", async () => {
    const shown: unknown[] = [];
    const answer = () => ({ content: [text("PIN 1234", FOR_USER), text("Sent.")] });
    const { host } = await openBank({ send_pin: { answer } });
    const onHop = ({ hop }: HopResult) => void shown.push(userView(hop).verbatim);
    const { send_pin: tool } = toWorkflowTools(createTools(host, { onHop }));
    const output = await tool?.execute({}, OPTIONS);
    expect(shown).toEqual([[expect.objectContaining({ text: "PIN 1234" })]]);
    expect(JSON.stringify(output)).not.toContain("1234");
    expect(output && tool?.toModelOutput({ output })).toEqual({ type: "text", value: "Sent." });
  });

  it("A person is asked about a call that needs one, and it is not made if nobody was asked.", async () => {
    const { server, host } = await openBank(CHAIN, asksFor("a"));
    const { a } = toWorkflowTools(createTools(host));
    expect(await a?.needsApproval({}, OPTIONS)).toBe(true);
    expect(await a?.execute({}, OPTIONS)).toMatchObject({ isError: true, ended: "needs-approval" });
    expect(server.calls).toEqual([]);
  });

  it("An abort rejects, as the signal's reason.", async () => {
    const { host } = await openBank(CHAIN);
    const { a } = toWorkflowTools(createTools(host));
    const abortSignal = AbortSignal.abort(new Error("gone"));
    await expect(a?.execute({}, { ...OPTIONS, abortSignal })).rejects.toThrow("gone");
  });

  it("Tools whose calls already return a promise, such as the pipe tool, stay as they are.", async () => {
    const { host } = await openBank(CHAIN);
    const tools = toWorkflowTools({ ...createTools(host), ...createPipeTool(host) });
    expectTypeOf(tools).toExtend<ai7.ToolSet>();
    const spec = { steps: [{ id: "one", tool: "c", args: { id: 1 } }] };
    expect(await tools.mcp_pipe?.execute(spec, OPTIONS)).toMatchObject({ ok: true });
  });

  it("Models are offered schemas without what a strict validator refuses, and the host checks by the server's own.", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        format: { type: "string", format: "email", pattern: "@", description: "To whom." },
        when: { oneOf: [{ type: "string", format: "date" }, { $ref: "#/$defs/when" }] },
        pair: { type: "array", prefixItems: [{ type: "string" }], items: false },
        tenant: { type: "string", "x-tenant": true, not: { const: "none" } },
        tags: { type: "object", patternProperties: { "^x": {} }, additionalProperties: false },
      },
      required: ["format"],
      $defs: { when: { type: "number", $comment: "Seconds." } },
    };
    const { server, host } = await openBank({ send: { definition: { inputSchema } } });
    const { send } = toWorkflowTools(createTools(host));
    expect(send?.inputSchema.jsonSchema).toEqual({
      type: "object",
      properties: {
        format: { type: "string", description: "To whom." },
        when: { anyOf: [{ type: "string" }, { $ref: "#/$defs/when" }] },
        pair: { type: "array", items: {} },
        tenant: { type: "string" },
        tags: { type: "object", properties: {} },
      },
      required: ["format"],
      $defs: { when: { type: "number" } },
    });
    const refused = await send?.execute({ format: "nobody" }, OPTIONS);
    expect(refused).toMatchObject({ isError: true, error: { code: "invalid-arguments" } });
    expect(server.calls).toEqual([]);
  });
});

it("An agent that takes the iterator itself for an output is told what to do, and no call is made.", async () => {
  const { server, host } = await openBank(CHAIN);
  const { a } = createTools(host);
  const output = (await a?.execute({}, OPTIONS)) as never;
  expect(() => a?.toModelOutput({ output })).toThrow("toWorkflowTools(createTools(host))");
  expect(server.calls).toEqual([]);
});
