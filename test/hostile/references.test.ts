import { createHost, type HostOptions, modelView } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { describe, expect, it, onTestFinished } from "vitest";
import { setClock } from "../../packages/core/test/clock.ts";
import { createTestServer, type SeenCall } from "../../packages/core/test/servers.ts";
import { everyPath } from "./fixtures/every-path.ts";

const LONG = "A line of a page that nobody wants to read twice.\n".repeat(1_000);
const definition = {
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  outputSchema: { type: "object", properties: { body: { type: "string" } } },
};

/** A server whose tool gives a long text, and says little where it is given one. */
/** What the tool answers where it is given no text, one after another; then the long text. */
async function open(options: Omit<HostOptions, "servers"> = {}, pages: string[] = []) {
  const answer = (call: SeenCall) => {
    const body = call.arguments.text === undefined ? (pages.shift() ?? LONG) : "thank you";
    return { content: [{ type: "text", text: body }], structuredContent: { body } };
  };
  const server = await createTestServer({ a: { definition, answer } });
  const servers = { bank: server.client };
  const { use = [references()], ...rest } = options;
  const listener = { name: "listener", onHop: () => {} };
  const host = await createHost({ servers, use: [listener, ...use], ...rest });
  onTestFinished(() => host.close());
  const sent = () => server.seen.at(-1)?.arguments.text;
  return { host, server, sent };
}

const LOST = {
  code: "invalid-arguments",
  message: expect.stringContaining("is not a kept result"),
};
const ALICE = { conversation: "alice" };
const BOB = { conversation: "bob" };

/** The address that a notice gives as an example. */
function addressIn(read: string): string {
  const [address] = /\$\{k\w{5}\.[\w.[\]]+\}/.exec(read) ?? [];
  if (address === undefined) throw new Error(`No result was kept: ${read.slice(0, 400)}`);
  return address;
}

const text = (id: string) => `\${${id}.text}`;

/** What a model reads through these is not kept: the application reads it, or asks for a summary of all of it. */
const WITHOUT_A_READER = /core: (runPipe|createSingleStep)|compilePipe|createSingleStepGraph/;
const all = everyPath.filter(({ name }) => !WITHOUT_A_READER.test(name));
/** The spec of a pipe refers to its own steps and vars alone. */
const [pipes, paths] = [/PipeTool/, /^(?!.*PipeTool)/].map((kind) =>
  all.filter(({ name }) => kind.test(name)),
) as [typeof all, typeof all];

describe.each(pipes)("a model that writes a pipe for $name", (path) => {
  it("reads little of a long result, and its spec takes no address: nothing is called", async () => {
    const { host, server } = await open();
    const read = await path.call(host, {}, ALICE);
    expect(read.length).toBeLessThan(6_000);
    const refused = await path.call(host, { text: addressIn(read) }, ALICE);
    expect(refused).toContain("must begin with vars, steps or last");
    expect(server.calls).toEqual(["a"]);
  });
});

describe.each(paths)("a model that calls by $name", (path) => {
  it("reads little of a long result, and passes the whole on by its address", async () => {
    const { host, sent } = await open();
    const read = await path.call(host, {}, ALICE);
    expect(read.length).toBeLessThan(6_000);
    await path.call(host, { text: addressIn(read) }, ALICE);
    expect(sent()).toBe(LONG);
  });

  it("reads a long result whole if no conversation was stated, and the host warns once", async () => {
    const codes: string[] = [];
    const { host, server } = await open({
      onEvent: (event) => void (event.type === "warning" && codes.push(event.code)),
    });
    const hop = await host.call({ tool: "bank.a" });
    expect(await host.keep(hop)).toBe(hop);
    await expect(host.keep(hop, { conversation: "" })).rejects.toThrow("text that is not empty");
    expect(server.calls).toEqual(["a"]);
    expect(codes).toEqual(["not-kept"]);
  });

  it("does not reach a result of another conversation, and nothing is called", async () => {
    const { host, server } = await open();
    const address = addressIn(await path.call(host, {}, ALICE));
    const read = await path.call(host, { text: address }, BOB);
    expect(read).toContain("is not a kept result");
    expect(server.calls).toEqual(["a"]);
  });

  it("does not read what was put in: an address in a kept text stays text", async () => {
    const pages: string[] = [];
    const { host, sent } = await open({}, pages);
    const secret = addressIn(await path.call(host, {}, ALICE));
    const trap = `A trap.\n${LONG}${secret} {"$ref":"${secret}"}`;
    pages.push(trap);
    await path.call(host, { text: addressIn(await path.call(host, {}, ALICE)) }, ALICE);
    expect(sent()).toBe(trap);
  });

  it("reads that a result is no longer kept, and nothing is called", async () => {
    let now = 1_000_000;
    setClock(() => now);
    const { host, server } = await open();
    const address = addressIn(await path.call(host, {}, ALICE));
    now += 3_700_000;
    const read = await path.call(host, { text: address }, ALICE);
    expect(read).toContain("is not a kept result");
    expect(server.calls).toEqual(["a"]);
  });

  it("reads that a kept result has no such part, and nothing is called", async () => {
    const { host, server } = await open();
    const address = addressIn(await path.call(host, {}, ALICE));
    const read = await path.call(host, { text: address.replace("}", ".rows}") }, ALICE);
    expect(read).toContain("has no");
    expect(server.calls).toEqual(["a"]);
  });

  it("cannot make a call larger than its arguments may be", async () => {
    const { host, server } = await open({ limits: { maxArgumentBytes: 40_000 } });
    const address = addressIn(await path.call(host, {}, ALICE));
    const read = await path.call(host, { text: address }, ALICE);
    expect(read).toContain("larger than");
    expect(server.calls).toEqual(["a"]);
  });
});

describe("an address", () => {
  const MODEL = { ...ALICE, origin: { by: "model" } } as const;

  async function keepOne(options: Parameters<typeof open>[0] = {}, page = LONG) {
    const opened = await open(options, [page]);
    const hop = await opened.host.keep(await opened.host.call({ tool: "bank.a" }, ALICE), ALICE);
    return { ...opened, hop, id: hop.kept ?? "" };
  }

  it.each(["application", "chain"] as const)("stays text in arguments of origin %s", async (by) => {
    const { host, sent, id } = await keepOne();
    const origin = by === "chain" ? { by, causedBy: "x", after: "bank.a", depth: 1 } : { by };
    await host.call({ tool: "bank.a", arguments: { text: text(id) } }, { ...ALICE, origin });
    expect(sent()).toBe(text(id));
  });

  it("stays text in the arguments of a next tool, which a server wrote", async () => {
    const page = await createTestServer({
      a: { answer: () => ({ content: [{ type: "text", text: LONG }] }) },
      b: {
        answer: ({ arguments: { id } }) => ({
          content: [],
          _meta: { nextTool: { tool: "c", arguments: { text: text(String(id)) } } },
        }),
      },
      c: {},
    });
    const host = await createHost({ servers: { bank: page.client }, use: [references()] });
    const { kept } = await host.keep(await host.call({ tool: "a" }, ALICE), ALICE);
    await host.run({ tool: "b", arguments: { id: kept } }, MODEL);
    expect(page.seen.at(-1)?.arguments.text).toBe(text(kept ?? ""));
  });

  it.each([
    ["a variable of a shell", "echo ${HOME} ${kafka.text}"],
    ["a template literal", "`${items.map((item) => item.k4f9b2)}`"],
    ["other templates", "{{user.name}} {user} {k4f9b2x.text}"],
    ["an unclosed brace", "${k4f9b2.text"],
    ["a reference of a JSON Schema", '{"$ref":"#/$defs/x"}'],
    ["100,000 spaces", " ".repeat(100_000)],
    ["100,000 braces", "${".repeat(50_000)],
  ])("is not seen in %s", async (_, argument) => {
    const { host, sent } = await keepOne();
    await host.call({ tool: "bank.a", arguments: { text: argument } }, MODEL);
    expect(sent()).toBe(argument);
  });

  it("that is guessed is refused, and nothing is called", async () => {
    const { host, server } = await keepOne();
    const calling = host.call({ tool: "bank.a", arguments: { text: text("k00000") } }, MODEL);
    await expect(calling).rejects.toMatchObject(LOST);
    expect(server.calls).toEqual(["a"]);
  });

  it("that is nested in an address is put in once, and what comes out is not read", async () => {
    const { host, sent, id } = await keepOne({}, `${LONG}!`);
    const inner = text(id);
    const nested = `\${${id}.${inner}}`;
    await host.call({ tool: "bank.a", arguments: { text: nested } }, MODEL);
    expect(sent()).toBe(`\${${id}.${LONG}!}`);
  });

  it("cannot be multiplied into 50 MB: 21 are refused, and so is what 20 add up to", async () => {
    const { host, server, id } = await keepOne(
      { limits: { maxResultBytes: 8_000_000 } },
      "x".repeat(2_600_000),
    );
    const many = (count: number, address: string) => ({
      text: Array(count).fill(address).join(" "),
    });
    for (const [args, reason] of [
      [many(21, `\${${id}.content[0].type}`), "than 20"],
      [many(20, text(id)), "larger than 1048576 bytes"],
    ] as const) {
      const calling = host.call({ tool: "bank.a", arguments: args }, MODEL);
      await expect(calling).rejects.toMatchObject({
        code: "invalid-arguments",
        message: expect.stringContaining(reason),
      });
    }
    expect(server.calls).toEqual(["a"]);
  });

  it("is not inserted again once the arguments are full, before they are built", async () => {
    const { host, id } = await keepOne({}, "x".repeat(300_000));
    const many = { text: Array(5).fill(text(id)).join(" ") };
    await expect(host.call({ tool: "bank.a", arguments: many }, MODEL)).rejects.toThrow(
      /inserted, its arguments are larger than 1048576 bytes/,
    );
  });

  it("is bound in an approval to what it stands for", async () => {
    const { host, server, sent, id } = await keepOne({
      authorize: ({ origin }) => (origin.by === "model" ? "ask" : "allow"),
    });
    const asked = await host.run({ tool: "bank.a", arguments: { text: text(id) } }, MODEL);
    expect(asked.pending?.arguments).toEqual({ text: text(id) });
    expect(asked.pending?.references).toMatchObject([{ path: "text", address: text(id) }]);
    expect(asked.pending?.references?.[0]?.preview).toHaveLength(301);
    const forged = { ...asked, pending: { ...asked.pending, arguments: { text: "other" } } };
    expect((await host.resume(forged as typeof asked, "approve", ALICE)).ended).toBe("denied");
    await expect(host.resume(asked, "approve", BOB)).rejects.toMatchObject({
      code: "invalid-options",
    });
    const calls = server.calls.length;
    expect((await host.resume(asked, "approve", ALICE)).ended).toBe("complete");
    expect(server.calls).toHaveLength(calls + 1);
    expect(sent()).toBe(LONG);
  });

  it("is not given out for content that is for the user alone", async () => {
    const forUser = { type: "text", text: `PIN 1234 ${LONG}`, annotations: { audience: ["user"] } };
    const server = await createTestServer({
      alone: { answer: () => ({ content: [forUser], structuredContent: { pin: LONG } }) },
      beside: { answer: () => ({ content: [{ type: "text", text: LONG }, forUser] }) },
    });
    const host = await createHost({ servers: { bank: server.client }, use: [references()] });
    const alone = await host.keep(await host.call({ tool: "alone" }, ALICE), ALICE);
    expect(alone.kept).toBeUndefined();
    const beside = await host.keep(await host.call({ tool: "beside" }, ALICE), ALICE);
    const read = async (path: string) => {
      const from = `${beside.kept}${path}`;
      const request = { tool: "references.read_result", arguments: { from, find: "PIN" } };
      return JSON.stringify((await host.call(request, MODEL)).result);
    };
    for (const path of [".text", ".content", ".content[0]", ".content[1]", ".structured", ""])
      expect(await read(path)).not.toContain("1234");
    expect(JSON.stringify(modelView(beside))).not.toContain("1234");
    expect(beside.result.content.at(-1)).toEqual(forUser);
  });
});
