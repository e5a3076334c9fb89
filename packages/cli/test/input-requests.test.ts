import { describe, expect, it } from "vitest";
import { ASKING, REVISIONS, readAnswer, typing } from "./on-terminal.ts";
import { program, WELCOME } from "./program.ts";
import { runHereJson } from "./run-here.ts";

const CALL = ["call", "transfer", ...ASKING];

describe.each(REVISIONS)("a server that asks the user on $revision", ({ more }) => {
  it("Is answered on a terminal, field by field, and a field is asked for again if its answer does not fit.", async () => {
    const first = ["y", "12", "", ""];
    const again = ["y", "1234", "3", "yes"];
    const { code, seen, document } = await typing([...first, ...again], [...CALL, ...more]);
    expect(code).toBe(0);
    const content = { pin: "1234", copies: 3, urgent: true };
    expect(readAnswer(document)).toEqual({ action: "accept", content });
    expect(seen).toContain('Server "bank" asks you:\n  Your PIN\\u001b[2J please?');
    expect(seen).toContain("Four digits");
    expect(seen).toContain("That was not sent");
  });

  it("Learns that the person declines.", async () => {
    const { document } = await typing(["n"], [...CALL, ...more]);
    expect(readAnswer(document)).toEqual({ action: "decline" });
  });

  it("Learns that the person ended the input, at any line and for each later request.", async () => {
    for (const lines of [[undefined], ["y", undefined], ["y", "12", "", "", undefined]]) {
      const { document } = await typing(lines, [...CALL, ...more]);
      expect(readAnswer(document)).toEqual({ action: "cancel" });
    }
  });

  it("Leaves the terminal as it is, so that Ctrl-C ends the command and not the question alone.", async () => {
    expect((await typing(["n"], [...CALL, ...more])).isRaw).toBe(false);
  });

  it("Gets a clear error without a terminal.", async () => {
    const { code, document, stderr } = await runHereJson([...CALL, ...more]);
    expect(code).toBe(1);
    expect(JSON.stringify(document) + stderr).toMatch(/asks the user|did not declare/);
  });
});

it("The choices of a field are shown, in whichever form the server lists them.", async () => {
  const titled = [
    { const: "s", title: "Small" },
    { const: "l", title: "Large" },
  ];
  const properties = {
    one: { type: "string", enum: ["a", "b"] },
    size: { type: "string", oneOf: titled },
    many: { type: "array", items: { type: "string", enum: ["c", "d"] } },
    sizes: { type: "array", items: { anyOf: titled } },
  };
  const form = { message: "Which?", requestedSchema: { type: "object", properties } };
  const tools = [{ name: "transfer", inputSchema: { type: "object" } }];
  const server = program(`${WELCOME}
    if (method === "tools/list") send({ id, result: ${JSON.stringify({ tools })} });
    if (method === "tools/call") send({ id: 9, method: "elicitation/create", params: ${JSON.stringify(form)} });
    if (method === "tools/call") globalThis.call = id;
    const { content } = JSON.parse(line).result ?? {};
    if (content) send({ id: globalThis.call, result: { content: [{ type: "text", text: JSON.stringify(content) }] } });
  `);
  const typed = ["y", "a", "s", "c, d", "l"];
  const { seen, document } = await typing(typed, ["call", "transfer", ...server]);
  for (const choices of ["a | b", "c | d"]) expect(seen).toContain(`(${choices})`);
  expect(seen.split("(s = Small | l = Large)")).toHaveLength(3);
  expect(readAnswer(document)).toEqual({ one: "a", size: "s", many: ["c", "d"], sizes: ["l"] });
});
