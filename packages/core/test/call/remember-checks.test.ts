import { describe, expect, it } from "vitest";
import { rememberChecks } from "../../src/adapter.ts";
import { type CheckedCall, createHost, type Store, ToolrailError } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const allow = { type: "allow", call: {} } as CheckedCall;
const refuse: CheckedCall = { type: "refuse", error: new ToolrailError("denied", "no") };
const run = {};
const bindingOf = async () => "asked by the framework";
const parts = (store: Store = new Map()) => ({ store, pendingHopTtlMs: 60_000, bindingOf });
const request = { tool: "bank.a", arguments: { n: 1 } };
const call = { run, toolCallId: "call-1", request, options: { conversation: "c1" } };

describe("rememberChecks", () => {
  it("The result of a check is taken once.", async () => {
    const checks = rememberChecks(parts());
    await checks.keep(call, allow);
    expect(checks.take(call)).toBe(allow);
    expect(checks.take(call)).toBeUndefined();
  });

  it("A refusal is kept, so that nobody is asked again about the call.", async () => {
    const checks = rememberChecks(parts());
    await checks.keep(call, refuse);
    expect(checks.take(call)).toBe(refuse);
  });

  it("What a person was asked is known to all that share the store, for this call alone.", async () => {
    const { client } = await createTestServer({ a: {} });
    const host = await createHost({ servers: { bank: client }, authorize: () => "ask" });
    const checked = await host.check(call.request);
    const store = new Map();
    await rememberChecks(parts(store)).keep(call, checked);
    const checks = rememberChecks(parts(store));
    expect(checks.take(call)).toBeUndefined();
    expect({ approved: await checks.approvalOf({ ...call, run: {} }) }).toEqual({
      approved: checked.type === "ask" && checked.binding,
    });
    expect(await checks.approvalOf({ ...call, toolCallId: "call-2" })).toBeUndefined();
    const elsewhere = { ...call, options: { conversation: "c2" } };
    expect(await checks.approvalOf(elsewhere)).toBeUndefined();
    const edited = { tool: "bank.a", arguments: { n: 2 } };
    expect(await checks.approvalOf({ ...call, request: edited })).toBeUndefined();
    expect(await rememberChecks(parts()).approvalOf(call)).toBeUndefined();
  });

  it("The same id in another run, with other arguments or of another tool is another call.", async () => {
    const checks = rememberChecks(parts());
    await checks.keep(call, allow);
    expect(checks.take({ ...call, run: {} })).toBeUndefined();
    expect(checks.take({ ...call, request: { tool: "bank.a" } })).toBeUndefined();
    const other = { tool: "bank.b", arguments: { n: 1 } };
    expect(checks.take({ ...call, request: other })).toBeUndefined();
    expect(checks.take(call)).toBe(allow);
  });

  it("A call whose arguments are not JSON is not kept.", async () => {
    const checks = rememberChecks(parts());
    const broken = { ...call, request: { tool: "bank.a", arguments: { n: 1n } } };
    await checks.keep(broken, refuse);
    expect(checks.take(broken)).toBeUndefined();
  });

  it("The oldest of a run is forgotten beyond the bound.", async () => {
    const checks = rememberChecks(parts(), 1);
    await checks.keep(call, allow);
    await checks.keep({ ...call, toolCallId: "call-2" }, allow);
    expect(checks.take(call)).toBeUndefined();
    expect(checks.take({ ...call, toolCallId: "call-2" })).toBe(allow);
  });
});
