import type { HostOptions } from "@toolrail/core";
import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { createTestServer, type TestServer } from "../../core/test/servers.ts";
import { withChaining } from "../src/index.ts";
import { CHAIN, openHost } from "./bank.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

const USER: UIMessage = { id: "u", role: "user", parts: [{ type: "text", text: "hi" }] };

/** What a browser holds of a conversation: messages, as JSON. */
type Browser = UIMessage[];

describe.each(majors)("a chat in a browser on $name", (major: Major) => {
  const { sdk } = major;

  /** One request of the browser to a server that knows nothing but the store. */
  async function post(
    server: TestServer,
    options: Partial<HostOptions>,
    model: ScriptedModel,
    browser: Browser,
  ): Promise<Browser> {
    const host = await openHost(server, options);
    const original = structuredClone(browser);
    const { tools } = withChaining(host, { model: model.model });
    const messages = await sdk.convertToModelMessages(original, { tools });
    const result = sdk.streamText(withChaining(host, { model: model.model, messages }));
    const last = original.at(-1);
    const message = last?.role === "assistant" ? last : undefined;
    const stream = result.toUIMessageStream({ originalMessages: original });
    let answer: UIMessage | undefined;
    const reading = { stream, ...(message && { message }) };
    for await (const state of sdk.readUIMessageStream(reading)) answer = structuredClone(state);
    const before = message ? original.slice(0, -1) : original;
    return [...before, ...(answer ? [answer] : [])];
  }

  /** The customer's word on whatever is asked, as `addToolApprovalResponse` writes it. */
  function answer(browser: Browser, approved: boolean): Browser {
    return browser.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === "dynamic-tool" && part.state === "approval-requested"
          ? { ...part, state: "approval-responded", approval: { ...part.approval, approved } }
          : part,
      ),
    }));
  }

  const policy = (): Partial<HostOptions> => ({
    store: new Map(),
    authorize: ({ tool }) => (tool.name === "a" ? "allow" : "ask"),
  });

  it("A chat asks at each hop, and each answer goes on in a server that starts afresh.", async () => {
    const server = await createTestServer(CHAIN);
    const options = policy();
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const first = await post(server, options, model, [USER]);
    expect(server.calls).toEqual(["a"]);
    const second = await post(server, options, model, answer(first, true));
    expect(server.calls).toEqual(["a", "b"]);
    const third = await post(server, options, model, answer(second, true));
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.calls).toBe(2);
    expect(third.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "text", value: "a result\nb result\nc result" },
    ]);
  });

  it("A refusal, a double click and a resent page make no second call.", async () => {
    const server = await createTestServer(CHAIN);
    const options = policy();
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const first = await post(server, options, model, [USER]);
    const yes = answer(first, true);
    await Promise.all([1, 2].map(() => post(server, options, model, yes)));
    await post(server, options, model, yes);
    expect(server.calls).toEqual(["a", "b"]);
    const other = await createTestServer(CHAIN);
    const fresh = scriptModel(major, [{ tool: "a" }], ["final"]);
    const asked = await post(other, options, fresh, [USER]);
    await post(other, options, fresh, answer(asked, false));
    await post(other, options, fresh, answer(asked, true));
    expect(other.calls).toEqual(["a"]);
  });
});
