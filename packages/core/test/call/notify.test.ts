import { expect, it, onTestFinished, vi } from "vitest";
import { notify } from "../../src/adapter.ts";
import { createHost, type HostEvent, type HostOptions, type McpPort } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const silent = { warn: () => {} };

it("A listener is waited for.", async () => {
  const told: string[] = [];
  const listener = async (event: string) => {
    await Promise.resolve();
    told.push(event);
  };
  await notify({ listener }, "hop", silent);
  expect(told).toEqual(["hop"]);
});

it("What a listener throws or rejects with becomes a warning with its name.", async () => {
  const warn = vi.fn();
  const onHop = () => {
    throw new Error("the page is gone");
  };
  await expect(notify({ onHop }, "hop", { warn })).resolves.toBeUndefined();
  const onResult = () => Promise.reject(new Error("the page is gone"));
  await expect(notify({ onResult }, "hop", { warn })).resolves.toBeUndefined();
  const cause = new Error("the page is gone");
  expect(warn.mock.calls).toEqual([
    ["listener-failed", "onHop", cause],
    ["listener-failed", "onResult", cause],
  ]);
});

it("Nothing happens if nobody listens.", async () => {
  await expect(notify({ onHop: undefined }, "hop", silent)).resolves.toBeUndefined();
});

it("A listener that never ends is left after five minutes, so that no run waits for it without end.", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isLeft = false;
  const onHop = () => new Promise<void>(() => {});
  const waiting = notify({ onHop }, "hop", silent).then(() => {
    isLeft = true;
  });
  await vi.advanceTimersByTimeAsync(299_999);
  expect(isLeft).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});

const thrower = () => {
  throw new Error(`the page\u001b is gone${"!".repeat(300)}`);
};

const failing: [string, Partial<HostOptions>, object][] = [
  ["onHop", {}, { onHop: thrower }],
  ["onHop", {}, { onHop: async () => thrower() }],
  ["onProgress", {}, { onProgress: thrower }],
  ['onHop of the plugin "mine"', { use: [{ name: "mine", onHop: thrower }] }, {}],
  ['onEvent of the plugin "mine"', { use: [{ name: "mine", onEvent: thrower }] }, {}],
];

it.each(failing)(
  "An %s that throws in two calls stops neither, and is one warning with its name, and with the error where no JSON has it.",
  async (listener, options, called) => {
    const events: HostEvent[] = [];
    const { client } = await createTestServer({
      look: {
        async answer({ progress }) {
          await progress(1);
          return { content: [] };
        },
      },
    });
    const onEvent = (event: HostEvent) => void events.push(event);
    const host = await createHost({ servers: { shop: client }, onEvent, ...options });
    for (let again = 0; again < 2; again++) {
      expect(await host.run({ tool: "look" }, called)).toMatchObject({ ended: "complete" });
    }
    const warnings = events.filter(({ type }) => type === "warning");
    expect(warnings).toMatchObject([{ code: "listener-failed", listener }]);
    expect(warnings[0]?.message).toContain(listener);
    expect(warnings[0]).toHaveProperty("cause.message", expect.stringContaining("is gone"));
    expect(JSON.stringify(warnings)).not.toContain("is gone");
  },
);

it("An onEvent that throws stops no call, and the console says so once.", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const port: McpPort = {
    list: async () => ({ tools: [{ name: "look", inputSchema: { type: "object" } }] }),
    call: async () => ({ content: [] }),
  };
  const host = await createHost({ servers: { shop: port }, onEvent: thrower });
  for (let again = 0; again < 2; again++) await host.call({ tool: "look" });
  const line = `It threw: the page\\u001b is gone${"!".repeat(200 - "the page. is gone".length)}…`;
  expect(warn.mock.calls).toMatchObject([[expect.stringContaining("The listener onEvent")]]);
  expect(String(warn.mock.calls[0]).endsWith(line)).toBe(true);
});

it("What has no text may be thrown too, and the line on the console blames the listener that threw it.", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const { client } = await createTestServer({ look: {} });
  const host = await createHost({ servers: { shop: client } });
  const onHop = () => Promise.reject(Object.create(null));
  expect(await host.run({ tool: "look" }, { onHop })).toMatchObject({ ended: "complete" });
  const line = expect.stringMatching(/listener onHop .* It threw: \[object Object\]$/);
  expect(warn.mock.calls).toEqual([[line]]);
});
