import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";
import { toModelName } from "../../src/servers/tool-list.ts";

function nameIn(servers: readonly string[], server: string, name: string): string {
  return toModelName({ server, name }, servers.length > 1 ? servers : []);
}

/** A server in this process that lists tools of these names. */
function portOf(names: readonly string[]): McpPort {
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  return { list: async () => ({ tools }), call: async () => ({ content: [] }) };
}

async function namesOf(lists: Readonly<Record<string, readonly string[]>>) {
  const servers = Object.entries(lists).map(([server, names]) => [server, portOf(names)] as const);
  const { tools } = await createHost({ servers: Object.fromEntries(servers) });
  return new Map(tools.map(({ server, name, modelName }) => [`${server}\n${name}`, modelName]));
}

const LONG = "n".repeat(127);

const server = fc.oneof(
  fc.constantFrom("a", "b", "a_b", "a_b_c", "b_c", "A", "a b"),
  fc
    .string({ minLength: 1, maxLength: 12 })
    .filter((name) => !Number.isInteger(Number(name)) && !name.includes(".")),
);
const name = fc.oneof(
  fc.constantFrom("a", "b", "c", "b_c", "c_d", "a_b", "a_b_c", "a.b", "a-b", "A"),
  fc.string({ minLength: 1, maxLength: 12 }),
  fc
    .array(fc.nat(0x10ffff), { minLength: 1, maxLength: 4 })
    .map((points) => String.fromCodePoint(...points)),
  fc.string({ unit: "grapheme", minLength: 60, maxLength: 130 }),
);
const configured = fc.uniqueArray(server, { minLength: 1, maxLength: 5 });

describe("the names that models see", () => {
  it("are the tools' own on the only server", () => {
    expect(nameIn(["bank"], "bank", "get_balance")).toBe("get_balance");
  });

  it("begin with the server if there are several, whatever the others list", () => {
    expect(nameIn(["bank", "docs"], "bank", "pay")).toBe("bank_pay");
    expect(nameIn(["bank", "docs"], "docs", "bank_pay")).toBe("docs_bank_pay");
  });

  it("end in a hash if another server could be read out of them", () => {
    const servers = ["a", "a_b"];
    expect(nameIn(servers, "a_b", "c")).toBe("a_b_c");
    expect(nameIn(servers, "a", "b_c")).toMatch(/^a_b_c_[0-9a-f]{20}$/);
    expect(nameIn(servers, "a", "c")).toBe("a_c");
  });

  it("end in a hash if the tool of a plugin could be read out of them", async () => {
    const pay = {
      name: "pay",
      inputSchema: { type: "object" },
      call: async () => ({ content: [] }),
    };
    const servers = { bank: portOf(["wallet_pay", "wallet"]) };
    const { tools } = await createHost({ servers, use: [{ name: "wallet", tools: [pay] }] });
    expect(tools.map(({ id, modelName }) => `${id}: ${modelName.slice(0, 11)}`)).toEqual([
      "bank.wallet_pay: wallet_pay_",
      "bank.wallet: wallet",
      "wallet.pay: wallet_pay",
    ]);
  });

  it("end in a hash if a tool's own name is illegal, too long, or looks like such a name", () => {
    const hashed = nameIn(["s"], "s", "a.b");
    expect(hashed).toMatch(/^a_b_[0-9a-f]{20}$/);
    expect(nameIn(["s"], "s", hashed)).not.toBe(hashed);
    const long = [nameIn(["s"], "s", `${LONG}1`), nameIn(["s"], "s", `${LONG}2`)];
    expect(new Set(long).size).toBe(2);
    expect(long.map((one) => one.length)).toEqual([64, 64]);
  });

  it("are legal, and different for different tools", () => {
    const tools = fc.uniqueArray(fc.tuple(fc.nat(), name), {
      maxLength: 60,
      selector: ([at, tool]) => JSON.stringify([at % 5, tool]),
    });
    fc.assert(
      fc.property(configured, tools, (servers, listed) => {
        const refs = listed.map(
          ([at, tool]) => [servers[at % servers.length] ?? "", tool] as const,
        );
        const unique = new Map(refs.map((ref) => [JSON.stringify(ref), ref]));
        const names = [...unique.values()].map(([at, tool]) => nameIn(servers, at, tool));
        expect(new Set(names).size).toBe(unique.size);
        for (const given of names) expect(given).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it("of a host never change when tools are added or removed, even on another server", async () => {
    const list = fc.uniqueArray(name, { maxLength: 6 });
    const lists = fc.array(list, { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(configured, lists, lists, async (servers, before, after) => {
        const listed = (all: readonly (readonly string[])[]) =>
          Object.fromEntries(servers.map((one, at) => [one, all[at] ?? []]));
        const old = await namesOf(listed(before));
        for (const [tool, now] of await namesOf(listed(after))) {
          expect(now).toBe(old.get(tool) ?? now);
        }
      }),
    );
  });
});
