import { createHost, type McpPort } from "@toolrail/core";
import { describe, expect, it, vi } from "vitest";
import { pipeServer } from "../src/index.ts";

const step = (id: string, tool: string) => ({ id, tool: `shop.${tool}`, args: {} });
const PIPES = {
  look: { description: "Looks.", spec: { steps: [step("a", "read"), step("b", "search")] } },
  tidy: { description: "Tidies.", spec: { steps: [step("a", "read"), step("b", "sort")] } },
  wipe: {
    description: "Wipes.",
    spec: {
      steps: [
        { id: "g", parallel: [step("a", "read")] },
        { id: "n", pipe: { steps: [step("b", "erase")] } },
      ],
    },
  },
  odd: { description: "Calls what is not there.", spec: { steps: [step("a", "gone")] } },
};

const HINTS: Readonly<Record<string, object>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  search: { readOnlyHint: true, openWorldHint: false },
  sort: { destructiveHint: false, idempotentHint: true },
  erase: { destructiveHint: true },
};

/** A host whose pipes are listed before the shop answers. */
async function open() {
  const shop: McpPort = {
    async list() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const inputSchema = { type: "object" };
      const tools = Object.entries(HINTS).map(([name, annotations]) => ({
        name,
        inputSchema,
        annotations,
      }));
      return { tools };
    },
    call: async () => ({ content: [] }),
  };
  const host = await createHost({
    servers: { pipe: (own) => pipeServer(own, PIPES), shop },
    authorize: () => "allow",
    onEvent: () => {},
  });
  await vi.waitFor(() => expect(host.find("pipe.look").annotations).toBeDefined());
  return (name: string) => host.find(`pipe.${name}`).annotations;
}

describe("the annotations of a served pipe", () => {
  it("promise that it only reads if all of its tools do", async () => {
    const hintsOf = await open();
    expect(hintsOf("look")).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
  });

  it("promise no more than the tool that promises least, and never that it may be repeated", async () => {
    const hintsOf = await open();
    expect(hintsOf("tidy")).toEqual({ destructiveHint: false });
  });

  it("promise nothing of a pipe that erases in a nested step, or whose tool is not known", async () => {
    const hintsOf = await open();
    expect(hintsOf("wipe")).toBeUndefined();
    expect(hintsOf("odd")).toBeUndefined();
  });
});

it("The annotations are those of the tool that the step calls, even if another tool has its name.", async () => {
  const serve = (name: string, annotations: object): McpPort => ({
    list: async () => ({ tools: [{ name, inputSchema: { type: "object" }, annotations }] }),
    call: async () => ({ content: [{ type: "text", text: name }] }),
  });
  const spec = { steps: [{ id: "a", tool: "shop_read" }] };
  const host = await createHost({
    servers: {
      pipe: (own) => pipeServer(own, { look: { description: "Looks.", spec } }),
      shop: serve("read", { destructiveHint: true }),
      docs: serve("shop_read", { readOnlyHint: true }),
    },
    authorize: () => "allow",
    onEvent: () => {},
  });
  expect((await host.call({ tool: "pipe.look" })).result.structuredContent).toBe("read");
  expect(host.find("pipe.look").annotations?.readOnlyHint).not.toBe(true);
});
