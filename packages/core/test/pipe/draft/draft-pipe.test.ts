import { describe, expect, it } from "vitest";
import type { Hop, HostTool, JsonObject } from "../../../src/index.ts";
import { draftPipe } from "../../../src/pipe/index.ts";
import { hopOf } from "../../hops.ts";

let calls = 0;

/** A call with its arguments and what it brought. */
function hop(tool: string, args: JsonObject, structuredContent?: JsonObject): Hop {
  const text = JSON.stringify(structuredContent ?? {});
  const result = {
    content: [{ type: "text", text }],
    ...(structuredContent && { structuredContent }),
  };
  return { ...hopOf(result, { server: "shop", tool, args }), callId: `call-${++calls}` };
}

function toolOf(name: string, { readOnly = true, properties = {} as JsonObject } = {}): HostTool {
  const annotations = { readOnlyHint: readOnly };
  const inputSchema = { type: "object", properties };
  return {
    id: `shop.${name}`,
    server: "shop",
    name,
    annotations,
    inputSchema,
  } as unknown as HostTool;
}

const READS = ["find_user", "get_user", "get_order", "search"].map((name) => toolOf(name));

describe("draftPipe", () => {
  it("makes a reference of an argument that came from an earlier result", () => {
    const { spec } = draftPipe(
      [
        hop("find_user", { email: "ann@shop.example" }, { user: { id: "u7" } }),
        hop("get_user", { user_id: "u7" }, { orders: ["#W1234567"] }),
      ],
      { tools: READS },
    );
    expect(spec).toEqual({
      order: "data",
      vars: { email: "ann@shop.example" },
      steps: [
        { id: "find_user", tool: "shop.find_user", args: { email: { $ref: "vars.email" } } },
        {
          id: "get_user",
          tool: "shop.get_user",
          args: { user_id: { $ref: "steps.find_user.structured.user.id" } },
        },
      ],
    });
  });

  it("takes the text of a result that is the whole value", () => {
    const found = hopOf({ content: [{ type: "text", text: "ann_lee_496" }] }, { tool: "find" });
    const { spec } = draftPipe([found, hop("get_user", { user_id: "ann_lee_496" })]);
    expect(spec.steps[1]).toMatchObject({ args: { user_id: { $ref: "steps.find.text" } } });
  });

  it("makes a var of what was picked from a list, and says where", () => {
    const cards = { cards: [{ card_id: "card_1111" }, { card_id: "card_2222" }] };
    const { spec, notes } = draftPipe([
      hop("get_user", {}, cards),
      hop("block", { card_id: "card_2222" }),
    ]);
    expect(spec.vars).toEqual({ card_id: "card_2222" });
    expect(spec.steps[1]).toMatchObject({ args: { card_id: { $ref: "vars.card_id" } } });
    expect(notes).toContainEqual({
      path: "steps[1].args.card_id",
      message: "was taken from steps.get_user.structured.cards.1.card_id",
    });
  });

  it("says of a value in the middle of a text that no reference can cut it out", () => {
    const { notes } = draftPipe([
      hop("search", {}, { text: "Your order is #W1234567, thank you." }),
      hop("get_order", { order_id: "#W1234567" }),
    ]);
    expect(notes.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("is inside a text of steps.search"),
    );
  });

  it("keeps flags, and the values of an enum, as they are", () => {
    const properties = { cabin: { enum: ["economy", "business"] }, insured: { type: "boolean" } };
    const { spec } = draftPipe(
      [
        hop("search", {}, { cabin: "business", insured: true }),
        hop("book", { cabin: "business", insured: true }),
      ],
      { tools: [toolOf("book", { properties })] },
    );
    expect(spec.steps[1]).toMatchObject({ args: { cabin: "business", insured: true } });
  });

  it("does not take two equal small numbers for one and the same value", () => {
    const { spec } = draftPipe([hop("search", {}, { pages: 3 }), hop("book", { bags: 3 })]);
    expect(spec.steps[1]).toMatchObject({ args: { bags: { $ref: "vars.bags" } } });
  });

  it("lets steps that only read run together, and orders those that write", () => {
    const { spec } = draftPipe(
      [hop("get_user", {}), hop("get_order", {}), hop("pay", {}), hop("search", {})],
      { tools: READS },
    );
    expect(spec.steps.map((step) => Object(step).after)).toEqual([
      undefined,
      undefined,
      ["get_user", "get_order"],
      ["pay"],
    ]);
  });

  it("makes one loop of calls that run through a whole list in its order", () => {
    const orders = { orders: [{ order_id: "#W1111111" }, { order_id: "#W2222222" }] };
    const { spec } = draftPipe(
      [
        hop("get_user", {}, orders),
        hop("get_order", { order_id: "#W1111111", full: true }),
        hop("get_order", { order_id: "#W2222222", full: true }),
      ],
      { tools: READS },
    );
    expect(spec.steps[1]).toEqual({
      id: "get_order",
      for_each: { $ref: "steps.get_user.structured.orders" },
      as: "item",
      do: { tool: "shop.get_order", args: { order_id: { $ref: "item.order_id" }, full: true } },
    });
  });

  it("keeps steps apart where only a part of a list was called", () => {
    const { spec } = draftPipe([
      hop("get_user", {}, { orders: ["#W1111111", "#W2222222", "#W3333333"] }),
      hop("get_order", { order_id: "#W1111111" }),
      hop("get_order", { order_id: "#W2222222" }),
    ]);
    expect(spec.steps.map(({ id }) => id)).toEqual(["get_user", "get_order", "get_order_2"]);
  });

  it("makes one step of a call and its chain, and refers to the result of the last hop", () => {
    const first = hop("check", { account: "acc-12345" }, { status: "locked" });
    const second = hop("hand_over", { account: "acc-12345" }, { ticket: "T-77777" });
    const chained: Hop = {
      ...second,
      origin: { by: "chain", causedBy: first.callId, after: "shop.check", depth: 1 },
    };
    const { spec } = draftPipe([first, chained, hop("watch", { ticket: "T-77777" })]);
    expect(spec.steps.map(({ id }) => id)).toEqual(["check", "watch"]);
    expect(spec.steps[1]).toMatchObject({
      args: { ticket: { $ref: "steps.check.structured.ticket" } },
    });
  });

  it("keeps of several runs only the references that hold in all of them", () => {
    const run = (user: string, account: string) => [
      hop("find_user", { email: `${user}@shop.example` }, { user_id: user, friend: "bob-55555" }),
      hop("get_user", { user_id: user, account, lang: "en-GB-oxendict" }),
    ];
    const { spec } = draftPipe([run("ann-11111", "bob-55555"), run("cy-22222", "dan-66666")]);
    expect(spec.steps[1]).toMatchObject({
      args: {
        user_id: { $ref: "steps.find_user.structured.user_id" },
        account: { $ref: "vars.account" },
        lang: "en-GB-oxendict",
      },
    });
  });

  it.each([[{ deep: "${steps.a.text}" }], [{ $ref: "#/a" }], [[{ $cel: "1" }]]])(
    "makes a var of %j, which would be read as a reference, though all runs agree on it",
    (query) => {
      const run = () => [hop("search", { query })];
      const { spec } = draftPipe([run(), run()]);
      expect(spec).toMatchObject({
        vars: { query },
        steps: [{ args: { query: { $ref: "vars.query" } } }],
      });
    },
  );

  it("refuses runs that call different tools", () => {
    expect(() => draftPipe([[hop("search", {})], [hop("pay", {})]])).toThrow(
      "The runs call different tools (shop.search; shop.pay). Draft from runs of one task, or from one run.",
    );
  });

  it("notes a call that had failed", () => {
    const failed = hopOf({ content: [], isError: true }, { tool: "pay" });
    expect(draftPipe([failed]).notes).toEqual([
      { path: "steps[0]", message: expect.stringContaining("ended with an error") },
    ]);
  });

  it("drafts a pipe without steps of a run without calls", () => {
    expect(draftPipe([])).toEqual({ spec: { order: "data", steps: [] }, notes: [] });
  });
});
