import { describe, expect, it } from "vitest";
import { rememberAdmissions } from "../../src/adapter.ts";
import { type Admission, createHost, type Store, ToolrailError } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const allow = { type: "allow", call: {} } as Admission;
const refuse: Admission = { type: "refuse", error: new ToolrailError("denied", "no") };
const run = {};
const bindingOf = async () => "asked by the framework";
const parts = (store: Store = new Map()) => ({ store, pendingHopTtlMs: 60_000, bindingOf });
const request = { tool: "bank.a", arguments: { n: 1 } };
const call = { run, toolCallId: "call-1", request, options: { conversation: "c1" } };

describe("rememberAdmissions", () => {
  it("What was said of a call is taken once.", async () => {
    const admissions = rememberAdmissions(parts());
    await admissions.keep(call, allow);
    expect(admissions.take(call)).toBe(allow);
    expect(admissions.take(call)).toBeUndefined();
  });

  it("A refusal is kept, so that nobody is asked again about the call.", async () => {
    const admissions = rememberAdmissions(parts());
    await admissions.keep(call, refuse);
    expect(admissions.take(call)).toBe(refuse);
  });

  it("What a person was asked is known to all that share the store, and of this call alone.", async () => {
    const { client } = await createTestServer({ a: {} });
    const host = await createHost({ servers: { bank: client }, authorize: () => "ask" });
    const admission = await host.check(call.request);
    const store = new Map();
    await rememberAdmissions(parts(store)).keep(call, admission);
    const admissions = rememberAdmissions(parts(store));
    expect(admissions.take(call)).toBeUndefined();
    expect({ approved: await admissions.approvalOf({ ...call, run: {} }) }).toEqual({
      approved: admission.type === "ask" && admission.binding,
    });
    expect(await admissions.approvalOf({ ...call, toolCallId: "call-2" })).toBeUndefined();
    const elsewhere = { ...call, options: { conversation: "c2" } };
    expect(await admissions.approvalOf(elsewhere)).toBeUndefined();
    const edited = { tool: "bank.a", arguments: { n: 2 } };
    expect(await admissions.approvalOf({ ...call, request: edited })).toBeUndefined();
    expect(await rememberAdmissions(parts()).approvalOf(call)).toBeUndefined();
  });

  it("The same id in another run, with other arguments or of another tool is another call.", async () => {
    const admissions = rememberAdmissions(parts());
    await admissions.keep(call, allow);
    expect(admissions.take({ ...call, run: {} })).toBeUndefined();
    expect(admissions.take({ ...call, request: { tool: "bank.a" } })).toBeUndefined();
    const other = { tool: "bank.b", arguments: { n: 1 } };
    expect(admissions.take({ ...call, request: other })).toBeUndefined();
    expect(admissions.take(call)).toBe(allow);
  });

  it("A call whose arguments are not JSON is not kept.", async () => {
    const admissions = rememberAdmissions(parts());
    const broken = { ...call, request: { tool: "bank.a", arguments: { n: 1n } } };
    await admissions.keep(broken, refuse);
    expect(admissions.take(broken)).toBeUndefined();
  });

  it("The oldest of a run is forgotten beyond the bound.", async () => {
    const admissions = rememberAdmissions(parts(), 1);
    await admissions.keep(call, allow);
    await admissions.keep({ ...call, toolCallId: "call-2" }, allow);
    expect(admissions.take(call)).toBeUndefined();
    expect(admissions.take({ ...call, toolCallId: "call-2" })).toBe(allow);
  });
});
