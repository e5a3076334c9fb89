import { describe, expect, it } from "vitest";
import { rememberChecks } from "../../src/adapter.ts";
import { type HostEngine, withEngine } from "../../src/host/host-engine.ts";
import {
  type CheckedCall,
  createHost,
  type Host,
  type Store,
  type Tool,
  ToolrailError,
} from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const allow = { type: "allow", call: {} } as CheckedCall;
const refuse: CheckedCall = { type: "refuse", error: new ToolrailError("denied", "no") };
const run = {};
const bindingOf = async () => "asked by the framework";
const hostWith = (store: Store = new Map()) =>
  withEngine(
    {} as Host,
    { store, pendingHopTtlMs: 60_000, bindingOf } as Partial<HostEngine> as HostEngine,
  );
const tool = { server: "bank", name: "a", id: "bank.a" } as Tool;
const request = { tool, arguments: { n: 1 } };
const call = { run, toolCallId: "call-1", request, options: { conversation: "c1" } };

describe("rememberChecks", () => {
  it("An approval for good counts for a call that nobody was asked about, with a person's changes.", async () => {
    const checks = rememberChecks(hostWith());
    const changes = () => ({ n: 2 });
    const approved = await bindingOf();
    expect(await checks.approvalOf(call, { changes, isForGood: true })).toEqual({
      approved,
      changes: { n: 2 },
    });
    expect(await checks.approvalOf(call, { changes })).toEqual({ changes: { n: 2 } });
  });

  it("The result of a check is taken once.", async () => {
    const checks = rememberChecks(hostWith());
    await checks.keep(call, allow);
    expect(checks.take(call)).toBe(allow);
    expect(checks.take(call)).toBeUndefined();
  });

  it("A refusal is kept, so that nobody is asked again about the call.", async () => {
    const checks = rememberChecks(hostWith());
    await checks.keep(call, refuse);
    expect(checks.take(call)).toBe(refuse);
  });

  it("What a person was asked is known to all that share the store, for this call alone.", async () => {
    const { client } = await createTestServer({ a: {} });
    const host = await createHost({ servers: { bank: client }, authorize: () => "ask" });
    const checked = await host.check(call.request);
    const store = new Map();
    await rememberChecks(hostWith(store)).keep(call, checked);
    const checks = rememberChecks(hostWith(store));
    expect(checks.take(call)).toBeUndefined();
    expect(await checks.approvalOf({ ...call, run: {} })).toEqual({
      approved: checked.type === "ask" && checked.binding,
    });
    expect(await checks.approvalOf({ ...call, toolCallId: "call-2" })).toEqual({});
    const elsewhere = { ...call, options: { conversation: "c2" } };
    expect(await checks.approvalOf(elsewhere)).toEqual({});
    const edited = { ...request, arguments: { n: 2 } };
    expect(await checks.approvalOf({ ...call, request: edited })).toEqual({});
    expect(await rememberChecks(hostWith()).approvalOf(call)).toEqual({});
  });

  it("The same id in another run, with other arguments or of another tool is another call.", async () => {
    const checks = rememberChecks(hostWith());
    await checks.keep(call, allow);
    expect(checks.take({ ...call, run: {} })).toBeUndefined();
    expect(checks.take({ ...call, request: { tool, arguments: {} } })).toBeUndefined();
    const other = { ...request, tool: { ...tool, id: "bank.b" } };
    expect(checks.take({ ...call, request: other })).toBeUndefined();
    expect(checks.take(call)).toBe(allow);
  });

  it("A call whose arguments are not JSON is not kept.", async () => {
    const checks = rememberChecks(hostWith());
    const broken = { ...call, request: { tool, arguments: { n: 1n } } };
    await checks.keep(broken, refuse);
    expect(checks.take(broken)).toBeUndefined();
  });

  it("The oldest of a run is forgotten beyond the bound.", async () => {
    const checks = rememberChecks(hostWith());
    await checks.keep(call, allow);
    for (let id = 2; id <= 1_001; id++) {
      await checks.keep({ ...call, toolCallId: `call-${id}` }, allow);
    }
    expect(checks.take(call)).toBeUndefined();
    expect(checks.take({ ...call, toolCallId: "call-2" })).toBe(allow);
  });
});
