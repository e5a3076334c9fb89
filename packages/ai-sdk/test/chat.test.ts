import type { HostOptions } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer, type TestServer } from "../../core/test/servers.ts";
import { CHAIN, openHost } from "./bank.ts";
import { type Browser, decide, postTo, SAID } from "./browser.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

describe.each(majors)("a chat in a browser on $name", (major: Major) => {
  /** One request of the browser to a server that knows nothing but the store. */
  async function post(
    server: TestServer,
    options: Partial<HostOptions>,
    model: ScriptedModel,
    browser: Browser,
  ): Promise<Browser> {
    return postTo(major, { host: await openHost(server, options), model, browser });
  }

  const policy = (): Partial<HostOptions> => ({
    store: new Map(),
    authorize: ({ tool }) => (tool.name === "a" ? "allow" : "ask"),
  });

  it("A chat asks at each hop, and each answer continues in a server that starts afresh.", async () => {
    const server = await createTestServer(CHAIN);
    const options = policy();
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const first = await post(server, options, model, [SAID]);
    expect(server.calls).toEqual(["a"]);
    const second = await post(server, options, model, decide(first));
    expect(server.calls).toEqual(["a", "b"]);
    const third = await post(server, options, model, decide(second));
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.calls).toBe(2);
    expect(third.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      {
        type: "text",
        value: "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result",
      },
    ]);
  });

  it("A refusal, a double click and a resent page make no second call.", async () => {
    const server = await createTestServer(CHAIN);
    const options = policy();
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const first = await post(server, options, model, [SAID]);
    const yes = decide(first);
    await Promise.all([1, 2].map(() => post(server, options, model, yes)));
    await post(server, options, model, yes);
    expect(server.calls).toEqual(["a", "b"]);
    const other = await createTestServer(CHAIN);
    const fresh = scriptModel(major, [{ tool: "a" }], ["final"]);
    const asked = await post(other, options, fresh, [SAID]);
    await post(
      other,
      options,
      fresh,
      decide(asked, () => false),
    );
    await post(other, options, fresh, decide(asked));
    expect(other.calls).toEqual(["a"]);
  });
});
