import { describe, expect, it } from "vitest";
import {
  type ChainResult,
  createHost,
  type HostOptions,
  type InputResponses,
  modelView,
} from "../../src/index.ts";
import { createMemoryStore } from "../../src/plugin.ts";
import { ACCEPTED, askForPin, askingPort } from "./asking-port.ts";

type Asking = Partial<HostOptions> & { readonly answer?: Parameters<typeof askingPort>[0] };

async function open({ answer, ...options }: Asking = {}) {
  const { port, calls } = askingPort(answer);
  const host = await createHost({ servers: { bank: port }, ...options });
  const run = (more: object = {}) =>
    host.run({ tool: "transfer", arguments: { amount: 5 } }, { ...more });
  return { host, calls, run };
}

function withInput(pin: unknown) {
  return { input: { pin } as InputResponses };
}

const toStored = (chain: ChainResult): ChainResult => JSON.parse(JSON.stringify(chain));

describe("a call whose server asks the user", () => {
  it("ends the chain with what is asked, and continues with the answers and the arguments of before", async () => {
    const { host, calls, run } = await open();
    const chain = await run();
    expect(chain).toMatchObject({ ended: "needs-input", hops: [], error: { code: "needs-input" } });
    expect(chain.pending?.inputRequest?.requests).toMatchObject({ pin: { message: "Your PIN?" } });
    const done = await host.resume(toStored(chain), ACCEPTED);
    expect(done).toMatchObject({
      ended: "complete",
      runId: chain.runId,
      hops: [{ tool: "transfer" }],
    });
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      arguments: { amount: 5 },
      inputResponses: ACCEPTED.input,
      requestState: "state-1",
    });
  });

  it("continues if a plugin sends other arguments, each time", async () => {
    const { host, calls, run } = await open({
      use: [
        { name: "ten", wrapCall: (call, next) => next({ ...call, arguments: { amount: 10 } }) },
      ],
    });
    expect(await host.resume(await run(), ACCEPTED)).toMatchObject({ ended: "complete" });
    expect(calls.map(({ arguments: args }) => args)).toEqual([{ amount: 10 }, { amount: 10 }]);
  });

  it("keeps the state of the server in the store, and the words of the server from models", async () => {
    const { run } = await open();
    const chain = await run();
    expect(JSON.stringify(chain)).not.toContain("state-1");
    expect(JSON.stringify(modelView(chain))).not.toContain("PIN");
  });

  it.each([
    ["a wrong type", { action: "accept", content: { pin: 1234 } }, "pin"],
    ["a text that is too short", { action: "accept", content: { pin: "1" } }, "pin"],
    ["a missing field", { action: "accept", content: {} }, "pin"],
    [
      "a field that nobody asked for",
      { action: "accept", content: { pin: "1234", to: "me" } },
      "to",
    ],
    ["another action", { action: "allow" }, "action"],
    ["no content", { action: "accept" }, "content"],
    [
      "a prototype",
      JSON.parse('{"action":"accept","content":{"pin":"1234","__proto__":{}}}'),
      "__proto__",
    ],
  ])("sends nothing if the answer has %s, and asks again", async (_, answer, told) => {
    const { host, calls, run } = await open();
    const again = await host.resume(await run(), withInput(answer));
    expect(again.ended).toBe("needs-input");
    expect(again.pending?.inputRequest?.problem).toContain(told);
    expect(calls).toHaveLength(1);
    expect(await host.resume(again, ACCEPTED)).toMatchObject({ ended: "complete" });
  });

  it.each([
    ["without an answer to each form", {}],
    ["with an answer that nobody asked for", { ...ACCEPTED.input, other: { action: "cancel" } }],
  ])("asks again %s", async (_, input) => {
    const { host, calls, run } = await open();
    const again = await host.resume(await run(), { input: input as InputResponses });
    expect(again.ended).toBe("needs-input");
    expect(calls).toHaveLength(1);
  });

  it.each(["decline", "cancel"])("tells the server of a %s, and nothing else", async (action) => {
    const { host, calls, run } = await open();
    await host.resume(await run(), withInput({ action, content: { pin: "1234" } }));
    expect(calls[1]?.inputResponses).toEqual({ pin: { action } });
  });

  it("is given up if a person cancels it", async () => {
    const { host, calls, run } = await open();
    expect(await host.resume(await run(), { deny: "no" })).toMatchObject({ ended: "denied" });
    expect(calls).toHaveLength(1);
  });

  it("takes each answer once", async () => {
    const { host, calls, run } = await open();
    const chain = await run();
    const both = await Promise.all([host.resume(chain, ACCEPTED), host.resume(chain, ACCEPTED)]);
    expect(both.map(({ ended }) => ended).sort()).toEqual(["complete", "denied"]);
    expect(calls).toHaveLength(2);
  });

  it("is made once by two workers whose store can claim, and both get its result", async () => {
    const store = createMemoryStore({ maxBytes: 1e6, maxConversationBytes: 1e6, now: Date.now });
    const { port, calls } = askingPort();
    const [one, two] = await Promise.all(
      [1, 2].map(() => createHost({ servers: { bank: port }, store })),
    );
    const chain = await one?.run({ tool: "transfer" }, { key: "thread-1" });
    const ends = await Promise.all(
      [one, two].map((host) =>
        host?.resume(toStored(chain as ChainResult), ACCEPTED, { key: "thread-1" }),
      ),
    );
    expect(ends.map((end) => end?.ended)).toEqual(["complete", "complete"]);
    expect(calls).toHaveLength(2);
  });

  it.each([
    [
      "other arguments",
      (chain: ChainResult) => ({
        ...chain,
        pending: { ...chain.pending, arguments: { amount: 9 } },
      }),
    ],
    ["another run", (chain: ChainResult) => ({ ...chain, runId: "other" })],
    [
      "another question",
      (chain: ChainResult) => ({
        ...chain,
        pending: { ...chain.pending, inputRequest: { id: "q", requests: {} } },
      }),
    ],
  ])("is not made again for a chain that was changed to %s", async (_, change) => {
    const { host, calls, run } = await open();
    const forged = change(await run()) as ChainResult;
    const chain = await host.resume(forged, ACCEPTED);
    expect(chain).toMatchObject({ ended: "denied", error: { code: "unknown-input" } });
    expect(calls).toHaveLength(1);
  });

  it("is answered under its key by a worker that came to it in a run of its own, and under no other key", async () => {
    const store = createMemoryStore({ maxBytes: 1e6, maxConversationBytes: 1e6, now: Date.now });
    const { port, calls } = askingPort();
    const work = () => createHost({ servers: { bank: port }, store });
    const [lost, host] = await Promise.all([work(), work()]);
    const at = { key: "thread-1" };
    const first = await lost.run({ tool: "transfer" }, at);
    const chain = await host.run({ tool: "transfer" }, at);
    expect(chain.runId).not.toBe(first.runId);
    expect(chain.pending?.inputRequest).toEqual(first.pending?.inputRequest);
    expect(calls).toHaveLength(1);
    const elsewhere = host.resume(toStored(chain), ACCEPTED, { key: "thread-2" });
    await expect(elsewhere).rejects.toMatchObject({ code: "invalid-options" });
    expect((await host.resume(toStored(chain), ACCEPTED, at)).ended).toBe("complete");
    expect(calls).toHaveLength(2);
  });

  it("is not answered from another conversation, nor after its time", async () => {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const { host, calls, run } = await open({ clock: { now } });
    const chain = await run({ conversation: "mine" });
    const elsewhere = host.resume(chain, ACCEPTED, { conversation: "yours" });
    await expect(elsewhere).rejects.toMatchObject({ code: "invalid-options" });
    const forged = {
      ...chain,
      pending: { ...chain.pending, conversation: "yours" },
    } as ChainResult;
    expect(await host.resume(forged, ACCEPTED)).toMatchObject({ ended: "denied" });
    aheadMs = 86_400_001;
    expect(await host.resume(chain, ACCEPTED)).toMatchObject({ ended: "denied" });
    expect(calls).toHaveLength(1);
  });

  it("is reported neither as refused nor as unapproved if nobody answers it", async () => {
    const { host, run } = await open();
    const { error } = await host.resume(await run(), { deny: "nobody has answered." });
    expect(error?.message).toBe("bank.transfer was not continued: nobody has answered.");
  });

  it("needs no second approval, and no answer stands for one", async () => {
    let word: "ask" | "allow" = "ask";
    const { host, calls, run } = await open({ authorize: () => word });
    const asked = await host.resume(await run(), "approve");
    expect(asked.ended).toBe("needs-input");
    expect(await host.resume(asked, ACCEPTED)).toMatchObject({ ended: "complete" });
    word = "allow";
    const open2 = await run();
    word = "ask";
    expect(await host.resume(open2, ACCEPTED)).toMatchObject({ ended: "needs-approval" });
    expect(calls).toHaveLength(3);
  });

  it("ends after ten rounds, whatever the server asks", async () => {
    const { host, calls, run } = await open({ answer: () => askForPin() });
    let chain = await run();
    for (let round = 0; chain.ended === "needs-input" && round < 20; round++) {
      chain = await host.resume(chain, ACCEPTED);
    }
    expect(chain).toMatchObject({ ended: "failed", error: { code: "malformed-result" } });
    expect(calls).toHaveLength(10);
  });

  it("is sent again without a person if the server gives a state and asks nothing", async () => {
    const { calls, run } = await open({
      answer: ({ requestState }) =>
        requestState === "later"
          ? { content: [] }
          : { resultType: "input_required", requestState: "later" },
    });
    expect(await run()).toMatchObject({ ended: "complete" });
    expect(calls[1]).not.toHaveProperty("inputResponses");
  });

  it.each([
    ["asks nothing", {}, "malformed-result"],
    ["has a state that is no text", { requestState: 5 }, "malformed-result"],
    [
      "asks for a model",
      { inputRequests: { a: { method: "sampling/createMessage" } } },
      "unsupported-result",
    ],
    [
      "wants something else than a form or a page",
      { inputRequests: { a: { method: "elicitation/create", params: { mode: "voice" } } } },
      "unsupported-result",
    ],
    [
      "has no form",
      { inputRequests: { a: { method: "elicitation/create", params: { message: "?" } } } },
      "malformed-result",
    ],
    ["is too large", { requestState: "x".repeat(300_000) }, "malformed-result"],
  ])("ends with a clear error if the question %s", async (_, asked, code) => {
    const { run } = await open({ answer: () => ({ resultType: "input_required", ...asked }) });
    expect(await run()).toMatchObject({ ended: "failed", error: { code } });
  });

  it("shows the words of the server without characters that hide", async () => {
    const { run } = await open({ answer: () => askForPin("s", "Pay \u202eevil") });
    expect((await run()).pending?.inputRequest?.requests.pin?.message).toBe("Pay \\u202eevil");
  });

  it("follows a hop that asks, with all calls before it kept", async () => {
    const { host, calls, run } = await open({
      answer: ({ arguments: { amount }, inputResponses }) =>
        amount === 5
          ? { content: [], _meta: { nextTool: { tool: "transfer", arguments: { amount: 6 } } } }
          : inputResponses
            ? { content: [] }
            : askForPin(),
    });
    const chain = await run();
    expect(chain).toMatchObject({ ended: "needs-input", hops: [{ arguments: { amount: 5 } }] });
    const done = await host.resume(toStored(chain), ACCEPTED);
    expect(done).toMatchObject({ ended: "complete", hops: [{}, { arguments: { amount: 6 } }] });
    expect(calls).toHaveLength(3);
  });
});

describe("onInputRequest", () => {
  it("answers in this process, and is asked again if its answer does not fit", async () => {
    const asked: unknown[] = [];
    const { calls, run } = await open({
      onInputRequest({ server, message, problem, call }) {
        asked.push([server, message, problem?.includes("pin"), call?.tool.name]);
        return { action: "accept", content: { pin: problem ? "1234" : "1" } };
      },
    });
    expect(await run()).toMatchObject({ ended: "complete", hops: [{}] });
    expect(asked).toEqual([
      ["bank", "Your PIN?", undefined, "transfer"],
      ["bank", "Your PIN?", true, "transfer"],
    ]);
    expect(calls[1]?.inputResponses).toEqual(ACCEPTED.input);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("secret"))],
    ["never fits", () => ({ action: "accept", content: {} }) as const],
  ])("that %s ends the call with callback-failed", async (_, onInputRequest) => {
    const { calls, run } = await open({ onInputRequest });
    const { error } = await run();
    expect(error?.code).toBe("callback-failed");
    expect(error?.message).not.toContain("secret");
    expect(calls).toHaveLength(1);
  });

  it("is not waited for when the run is aborted", async () => {
    const aborter = new AbortController();
    const { run } = await open({
      onInputRequest: () => {
        aborter.abort();
        return new Promise(() => {});
      },
    });
    expect(await run({ signal: aborter.signal })).toMatchObject({ ended: "aborted" });
  });
});
