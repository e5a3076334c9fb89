import type { ChainResult, Host } from "@toolrail/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDocuments } from "../src/conditional-workflow.ts";
import { openDatabase } from "../src/error-recovery.ts";
import { openExpenses } from "../src/multi-stage-approval.ts";
import { openImport } from "../src/staged-processing.ts";

async function open(opening: Promise<Host>): Promise<Host> {
  const host = await opening;
  onTestFinished(() => host.close());
  return host;
}

const toolsOf = ({ hops }: ChainResult) => hops.map(({ tool }) => tool);

describe("multi-stage approval", () => {
  const submit = (amount: number) => ({
    tool: "submit_expense",
    arguments: { id: "e1", amount },
  });

  it("books a small expense without asking anyone", async () => {
    const host = await open(openExpenses());
    const chain = await host.run(submit(90));
    expect(chain.ended).toBe("complete");
    expect(chain.hops.at(-1)?.result.structuredContent).toMatchObject({ status: "booked" });
  });

  it("waits for each of two people, and continues when they approve", async () => {
    const host = await open(openExpenses());
    const first = await host.run(submit(9000));
    expect(first).toMatchObject({
      ended: "needs-approval",
      pending: { tool: "approve_as_manager" },
    });
    const second = await host.resume(first, "approve");
    expect(second).toMatchObject({
      ended: "needs-approval",
      pending: { tool: "approve_as_director" },
    });
    const done = await host.resume(second, "approve");
    expect(done.ended).toBe("complete");
    expect(toolsOf(done)).toEqual(["submit_expense", "approve_as_manager", "approve_as_director"]);
  });

  it("books nothing if the second person denies it", async () => {
    const host = await open(openExpenses());
    const asked = await host.resume(await host.run(submit(9000)), "approve");
    const refused = await host.resume(asked, { deny: "Too much for a dinner." });
    expect(refused.ended).toBe("denied");
    expect(toolsOf(refused)).not.toContain("approve_as_director");
  });
});

describe("error recovery", () => {
  const query = { tool: "run_query", arguments: { sql: "select 1" } };

  it("renews the credential and asks again, all in one chain", async () => {
    const host = await open(openDatabase());
    const chain = await host.run(query);
    expect(toolsOf(chain)).toEqual(["run_query", "renew_credential", "run_query"]);
    expect(chain.hops.map(({ result }) => result.isError === true)).toEqual([true, false, false]);
    expect(chain.hops.at(-1)?.result.structuredContent).toEqual({ rows: 3 });
  });

  it("ends with the error if there is no new credential", async () => {
    const host = await open(openDatabase({ isRevoked: true }));
    const chain = await host.run(query);
    expect(toolsOf(chain)).toEqual(["run_query", "renew_credential"]);
    expect(chain.hops.at(-1)?.result.isError).toBe(true);
  });
});

describe("staged processing", () => {
  it("loads a table that is complete at once", async () => {
    const host = await open(openImport());
    const rows = [
      ["name", "city"],
      ["Ada", "London"],
    ];
    const chain = await host.run({ tool: "import_table", arguments: { rows } });
    expect(toolsOf(chain)).toEqual(["import_table", "load_table"]);
  });

  it("cleans a table with gaps, and checks it again before it is loaded", async () => {
    const host = await open(openImport());
    const rows = [["name", "city"], ["Ada"]];
    const chain = await host.run({ tool: "import_table", arguments: { rows } });
    expect(toolsOf(chain)).toEqual(["import_table", "clean_table", "import_table", "load_table"]);
    expect(chain.hops.at(-1)?.result.structuredContent).toEqual({ loaded: 2 });
  });
});

describe("conditional workflow", () => {
  it.each([
    ["Invoice 7. Total: 90.50", "extract_invoice", { kind: "invoice", total: 90.5 }],
    [
      "This agreement between Ada and Bob, made today.",
      "extract_contract",
      { kind: "contract", parties: ["Ada", "Bob"] },
    ],
  ])("reads %j with the tool that fits", async (text, tool, value) => {
    const host = await open(openDocuments());
    const chain = await host.run({ tool: "read_document", arguments: { text } });
    expect(chain.hops.at(-1)).toMatchObject({ tool, result: { structuredContent: value } });
  });

  it("leaves an unknown document to the model", async () => {
    const host = await open(openDocuments());
    const chain = await host.run({ tool: "read_document", arguments: { text: "A poem." } });
    expect(chain.ended).toBe("complete");
    expect(toolsOf(chain)).toEqual(["read_document"]);
  });
});
