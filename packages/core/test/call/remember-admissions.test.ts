import { describe, expect, it } from "vitest";
import { rememberAdmissions } from "../../src/adapter.ts";
import { type Admission, ToolrailError } from "../../src/index.ts";

const allow = { type: "allow", call: {} } as Admission;
const refuse: Admission = { type: "refuse", error: new ToolrailError("denied", "no") };
const run = {};
const call = { run, toolCallId: "call-1", request: { tool: "bank.a", arguments: { n: 1 } } };

describe("rememberAdmissions", () => {
  it("What was said of a call is taken once.", () => {
    const admissions = rememberAdmissions();
    admissions.keep(call, allow);
    expect(admissions.take(call)).toBe(allow);
    expect(admissions.take(call)).toBeUndefined();
  });

  it("A refusal is kept, so that nobody is asked again about the call.", () => {
    const admissions = rememberAdmissions();
    admissions.keep(call, refuse);
    expect(admissions.take(call)).toBe(refuse);
  });

  it("A call that waits for a person is not kept.", () => {
    const admissions = rememberAdmissions();
    admissions.keep(call, { ...allow, type: "ask" } as Admission);
    expect(admissions.take(call)).toBeUndefined();
  });

  it("The same id in another run, with other arguments or of another tool is another call.", () => {
    const admissions = rememberAdmissions();
    admissions.keep(call, allow);
    expect(admissions.take({ ...call, run: {} })).toBeUndefined();
    expect(admissions.take({ ...call, request: { tool: "bank.a" } })).toBeUndefined();
    const other = { tool: "bank.b", arguments: { n: 1 } };
    expect(admissions.take({ ...call, request: other })).toBeUndefined();
    expect(admissions.take(call)).toBe(allow);
  });

  it("A call whose arguments are not JSON is not kept.", () => {
    const admissions = rememberAdmissions();
    const broken = { ...call, request: { tool: "bank.a", arguments: { n: 1n } } };
    admissions.keep(broken, refuse);
    expect(admissions.take(broken)).toBeUndefined();
  });

  it("The oldest of a run is forgotten beyond the bound.", () => {
    const admissions = rememberAdmissions(1);
    admissions.keep(call, allow);
    admissions.keep({ ...call, toolCallId: "call-2" }, allow);
    expect(admissions.take(call)).toBeUndefined();
    expect(admissions.take({ ...call, toolCallId: "call-2" })).toBe(allow);
  });
});
