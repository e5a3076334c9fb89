import type { Store } from "@toolrail/core";
import { describe, expect, it, vi } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { asksFor, CHAIN, chained, FOR_USER, openBank, openHost, text, USER } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs, track } from "./reading.ts";
import { generate, runs } from "./runs.ts";

const BESIDE = [{ tool: "a" }, { tool: "z" }];

describe.each(majors)("a hop that nobody can make any more on $name", (major: Major) => {
  /** Stops with the hop after `a` still to be made, since `z` of the same turn waits for a person. */
  async function pause(tools = CHAIN) {
    const policy = asksFor("z");
    const { server, host } = await openBank({ ...tools, z: {} }, policy);
    const model = scriptModel(major, BESIDE);
    const { messages } = await generate(major, chained(host, model, { messages: [USER] }));
    const asked = [USER, ...messages];
    return { server, answered: [...asked, answerTo(asked, true)] };
  }

  it.each([true, false])("A lost hop is reported to the model, with fold %s.", async (fold) => {
    const { server, answered } = await pause();
    const fresh = await openHost(server);
    const model = scriptModel(major, ["final"]);
    const more = { messages: answered, chaining: { fold } };
    await generate(major, chained(fresh, model, more));
    expect(server.calls).toEqual(["a", "z"]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      {
        type: "error-text",
        value: expect.stringMatching(/^a result\n.*ended early.*another process/),
      },
      { type: "text", value: "z done" },
    ]);
    expect(JSON.stringify(model.prompts)).not.toMatch(/limits\.|`store`/); // A model cannot set options.
  });

  it("A lost hop is reported to the model even if everything before it was for the user.", async () => {
    const shown = { answer: () => ({ ...asking("b"), content: [text("locked", FOR_USER)] }) };
    const { server, answered } = await pause({ ...CHAIN, a: shown });
    server.tools = { ...server.tools, z: { answer: () => ({ content: [text("z", FOR_USER)] }) } };
    const fresh = await openHost(server);
    const model = scriptModel(major, ["final"]);
    await generate(major, chained(fresh, model, { messages: answered }));
    expect(model.calls).toBe(1);
    expect(JSON.stringify(model.prompts)).toContain("ended early");
  });

  it("The model reads that a hop was pushed out of a full memory.", async () => {
    const limits = { maxStoreBytes: 100 };
    const { host } = await openBank(CHAIN, { limits });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(
      major,
      chained(host, model, { messages: [USER], chaining: { conversation: "thread-1" } }),
    );
    expect(JSON.stringify(model.prompts)).toMatch(/ended early.*memory for waiting hops was full/);
  });

  it("A hop that has expired is lost, also in a store that forgets nothing, and no person is asked about it.", async () => {
    const { host } = await openBank(
      { ...CHAIN, z: {} },
      { ...asksFor("b", "z"), store: new Map() },
    );
    const model = scriptModel(major, BESIDE, ["final"]);
    const first = await generate(major, chained(host, model, { messages: [USER] }));
    const asked = [USER, ...first.messages];
    const later = performance.now() + 25 * 3_600_000;
    const clock = vi.spyOn(performance, "now").mockReturnValue(later);
    const more = { messages: [...asked, answerTo(asked, false)] };
    const { messages } = await generate(major, chained(host, model, more));
    clock.mockRestore();
    expect(JSON.stringify(messages)).not.toContain("tool-approval-request");
    expect(JSON.stringify(model.prompts.at(-1))).toMatch(/ended early.*expired/);
  });

  it("A hop that was made, in this run or in one before, is not lost.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const { messages } = await generate(major, chained(host, model, { messages: [USER] }));
    await generate(major, chained(host, model, { messages: [USER, ...messages, USER] }));
    expect(JSON.stringify(model.prompts)).not.toContain("ended early");
  });

  it.each(runs)(
    "A store that fails does not end $name, and the model is told that it failed, and not how.",
    async ({ run }) => {
      const failing = () => Promise.reject(new Error("out of order"));
      for (const broken of ["get", "set", "delete"] as const) {
        const pendingHops = new Map<string, unknown>();
        const store: Store = {
          get: (id) => pendingHops.get(id),
          set: (id, pending) => pendingHops.set(id, pending),
          delete: (id) => pendingHops.delete(id),
          [broken]: failing,
        };
        const { server, host } = await openBank(CHAIN, { store });
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        const result = await run(major, chained(host, model));
        expect(track(result).at(-1)).toBe("model[]");
        expect(server.calls).toEqual(["a"]);
        expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
          {
            type: "error-text",
            value: expect.stringMatching(/^a result\n.*store of the host failed/),
          },
        ]);
        expect(JSON.stringify(model.prompts)).not.toContain("out of order");
      }
    },
  );
});
