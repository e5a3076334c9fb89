import { describe, expect, it, vi } from "vitest";
import { createHost, type HostOptions, modelView, type ReceivedInput } from "../../src/index.ts";
import { ACCEPTED, askForPin, askingPort } from "./asking-port.ts";

type Asking = Partial<HostOptions> & { readonly answer?: Parameters<typeof askingPort>[0] };

async function open({ answer, ...options }: Asking = {}) {
  const { port, calls } = askingPort(answer);
  const host = await createHost({ servers: { bank: port }, ...options });
  const run = (more: object = {}) =>
    host.run({ tool: "transfer", arguments: { amount: 5 } }, { ...more });
  return { host, calls, run };
}

/** An `onInputRequest` that gives this answer, and the right one when it is asked again. */
function answering(first: unknown) {
  return vi.fn(({ problem }: ReceivedInput) => (problem === undefined ? first : ACCEPTED) as never);
}

describe("a call whose server asks the user", () => {
  it("fails if nobody can answer, is not sent again, and no model reads what is asked", async () => {
    const { calls, run } = await open();
    const chain = await run();
    expect(chain).toMatchObject({ ended: "failed", hops: [], error: { code: "needs-input" } });
    expect(chain.error?.message).toContain("onInputRequest");
    expect(JSON.stringify([chain, modelView(chain)])).not.toMatch(/PIN|state-1/);
    expect(calls).toHaveLength(1);
  });

  it("continues with the answer, its arguments and the state of the server", async () => {
    const onInputRequest = answering(ACCEPTED);
    const { calls, run } = await open({ onInputRequest });
    expect(await run()).toMatchObject({ ended: "complete", hops: [{ tool: "transfer" }] });
    expect(calls[1]).toMatchObject({
      arguments: { amount: 5 },
      inputResponses: { pin: ACCEPTED },
      requestState: "state-1",
    });
    expect(onInputRequest.mock.calls[0]?.[0]).toMatchObject({
      server: "bank",
      message: "Your PIN?",
      call: { tool: { name: "transfer" } },
    });
  });

  it("continues if a plugin sends other arguments, each time", async () => {
    const { calls, run } = await open({
      onInputRequest: () => ACCEPTED,
      use: [
        { name: "ten", wrapCall: (call, next) => next({ ...call, arguments: { amount: 10 } }) },
      ],
    });
    expect(await run()).toMatchObject({ ended: "complete" });
    expect(calls.map(({ arguments: args }) => args)).toEqual([{ amount: 10 }, { amount: 10 }]);
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
  ])("asks again if the answer has %s, and sends only the right one", async (_, answer, told) => {
    const onInputRequest = answering(answer);
    const { calls, run } = await open({ onInputRequest });
    expect(await run()).toMatchObject({ ended: "complete" });
    expect(onInputRequest.mock.calls[1]?.[0].problem).toContain(told);
    expect(onInputRequest).toHaveBeenCalledTimes(2);
    expect(calls).toMatchObject([{}, { inputResponses: { pin: ACCEPTED } }]);
  });

  it.each(["decline", "cancel"] as const)(
    "tells the server of a %s, and nothing else",
    async (action) => {
      const onInputRequest = () => ({ action, content: { pin: "1234" } });
      const { calls, run } = await open({ onInputRequest });
      await run();
      expect(calls[1]?.inputResponses).toEqual({ pin: { action } });
    },
  );

  it("fills in the defaults of the form, and no other field", async () => {
    const requestedSchema = {
      type: "object",
      properties: { name: { type: "string", default: "Ada" }, age: { type: "number", default: 7 } },
    };
    const inputRequests = {
      form: { method: "elicitation/create", params: { message: "?", requestedSchema } },
    };
    const { calls, run } = await open({
      answer: ({ inputResponses }) =>
        inputResponses ? { content: [] } : { resultType: "input_required", inputRequests },
      onInputRequest: () => ({ action: "accept", content: { age: 8 } }),
    });
    expect(await run()).toMatchObject({ ended: "complete" });
    const form = { action: "accept", content: { name: "Ada", age: 8 } };
    expect(calls[1]?.inputResponses).toEqual({ form });
  });

  it("is given up after ten questions, and the server is not asked an eleventh time", async () => {
    const onInputRequest = vi.fn(() => ACCEPTED);
    const { calls, run } = await open({ answer: () => askForPin(), onInputRequest });
    expect(await run()).toMatchObject({ ended: "failed", error: { code: "malformed-result" } });
    expect(onInputRequest).toHaveBeenCalledTimes(10);
    expect(calls).toHaveLength(11);
  });

  it("counts wrong answers among the ten", async () => {
    const onInputRequest = answering({ action: "accept", content: {} });
    const { run } = await open({ answer: () => askForPin(), onInputRequest });
    expect(await run()).toMatchObject({ ended: "failed", error: { code: "malformed-result" } });
    expect(onInputRequest).toHaveBeenCalledTimes(10);
  });

  it("asks ten times again in its next call", async () => {
    const onInputRequest = vi.fn(() => ACCEPTED);
    const { run } = await open({ answer: () => askForPin(), onInputRequest });
    await run();
    await run();
    expect(onInputRequest).toHaveBeenCalledTimes(20);
  });

  it("asks no more in total if a plugin sends the call again", async () => {
    const onInputRequest = vi.fn(() => ACCEPTED);
    const again: NonNullable<HostOptions["use"]>[number] = {
      name: "again",
      wrapCall: (call, next) => next(call).catch(() => next(call)),
    };
    const { run } = await open({ answer: () => askForPin(), onInputRequest, use: [again] });
    expect(await run()).toMatchObject({ ended: "failed" });
    expect(onInputRequest).toHaveBeenCalledTimes(10);
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
    ["asks nothing", {}, "an interim result"],
    ["has a state that is no text", { requestState: 5 }, "requestState must be a text"],
    [
      "asks for a model",
      { inputRequests: { a: { method: "sampling/createMessage" } } },
      "only forms and pages",
    ],
    [
      "wants something else than a form or a page",
      { inputRequests: { a: { method: "elicitation/create", params: { mode: "voice" } } } },
      "only forms and pages",
    ],
    [
      "has no form",
      { inputRequests: { a: { method: "elicitation/create", params: { message: "?" } } } },
      "requestedSchema has a defect",
    ],
    ["is too large", { requestState: "x".repeat(300_000) }, "larger than"],
  ])("ends with a clear error if the question %s", async (_, asked, why) => {
    const { run } = await open({ answer: () => ({ resultType: "input_required", ...asked }) });
    expect(await run()).toMatchObject({
      ended: "failed",
      error: { code: "malformed-result", message: expect.stringContaining(why) },
    });
  });

  it("shows the words of the server without characters that hide", async () => {
    const onInputRequest = answering(ACCEPTED);
    const { run } = await open({
      answer: ({ inputResponses }) =>
        inputResponses ? { content: [] } : askForPin("s", "Pay \u202eevil"),
      onInputRequest,
    });
    await run();
    expect(onInputRequest.mock.calls[0]?.[0].message).toBe("Pay \\u202eevil");
  });

  it("may be a hop", async () => {
    const { calls, run } = await open({
      answer: ({ arguments: { amount }, inputResponses }) =>
        amount === 5
          ? { content: [], _meta: { nextTool: { tool: "transfer", arguments: { amount: 6 } } } }
          : inputResponses
            ? { content: [] }
            : askForPin(),
      onInputRequest: () => ACCEPTED,
    });
    const hops = [{ arguments: { amount: 5 } }, { arguments: { amount: 6 } }];
    expect(await run()).toMatchObject({ ended: "complete", hops });
    expect(calls).toHaveLength(3);
  });
});

describe("onInputRequest", () => {
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
