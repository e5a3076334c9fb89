import { readFileSync } from "node:fs";
import { createHost } from "@toolrail/core";
import { rules } from "@toolrail/plugins/rules";
import { expect, it, vi } from "vitest";

/** A server in the memory of the test, whose tools all answer with this. */
function serve(names: readonly string[], structuredContent: object) {
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  return { list: async () => ({ tools }), call: async () => ({ content: [], structuredContent }) };
}

it("The guide on rules that do not fire prints what it says that it prints.", async () => {
  const crm = serve(["check_account"], { id: "a1", locked: true, closed: false });
  const desk = serve(["handoff"], {});
  const log = vi.spyOn(console, "log").mockImplementation(() => {});

  const next = { tool: "desk.handoff", arguments: { account: { $ref: "structured.id" } } };
  const host = await createHost({
    servers: { crm, desk },
    use: [
      rules([
        { name: "typo", after: "crm.chek_account", next },
        { name: "failed", after: "crm.check_account", on: "error", next },
        { name: "closed", after: "crm.check_account", when: "structured.closed", next },
        { name: "misread", after: "crm.check_account", when: "structured.lokced", next },
        { name: "locked", after: "crm.*", when: "structured.locked", next },
        { name: "always", after: "crm.*", next },
      ]),
    ],
    onEvent: ({ type, message }) => {
      if (type === "rule-skipped" || type === "problem") console.log(message);
    },
  });
  const { hops } = await host.run({ tool: "crm.check_account" });
  for (const { tool, origin } of hops) console.log(tool, origin.by === "chain" && origin.rule);

  const page = readFileSync(new URL("../../docs/debugging-rules.md", import.meta.url), "utf8");
  const [, printed] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  expect(`${log.mock.calls.map((line) => line.join(" ")).join("\n")}\n`).toBe(printed);
});
