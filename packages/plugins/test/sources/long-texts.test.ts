import { createHost, type HostOptions, type Tool } from "@toolrail/core";
import { createMemoryStore } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import { askWhenFrom, denyWhenFrom, sources } from "@toolrail/plugins/sources";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../../core/test/servers.ts";
import { holds, holdsWhole, indexText, toNeedle } from "../../src/sources/index-text.ts";
import { createPace } from "../../src/sources/pace.ts";
import { createTracker } from "../../src/sources/track-sources.ts";
import { openOffice, shown } from "./open-office.ts";

const WORDS = Array.from(
  { length: 20_000 },
  (_, at) => `w${((at * 2_654_435_761) % 1e9).toString(36)}x`,
);
const MIB = 1_048_576;
const TOOL = { id: "bank.pay", server: "bank", name: "pay", inputSchema: {} } as Tool;
const place = { conversation: "s", server: "mail", tool: "read" };

/** Words with groups of digits between them. */
function longText(length: number): string {
  let text = "";
  for (let at = 0; text.length < length; at++) text += `${WORDS[at % WORDS.length]} 12 34-56 `;
  return text.slice(0, length);
}

/** Values of two words that follow each other in no text. */
function pairs(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${WORDS[at * 7]} ${WORDS[at * 3 + 1]}`);
}

async function track(text: string) {
  const bounds = { maxBytes: 1e6, maxConversationBytes: 1e6, now: () => 0 };
  const tracker = createTracker({}, { store: createMemoryStore(bounds), now: () => 0 });
  const reading = await countTurns(() => tracker.keep({ ...place, callId: "1", text }));
  const find = (args: JsonObject) => {
    const call = { ...place, tool: TOOL, arguments: args, userText: [], exact: [] };
    return countTurns(() => tracker.find(call));
  };
  return { reading, find };
}

/** How often other work has had its turn meanwhile. */
async function countTurns<T>(run: () => Promise<T>) {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  const result = await run();
  clearImmediate(next);
  return { turns, result };
}

describe("a search in long texts", () => {
  it("gives other work its turn all the while", async () => {
    const { reading, find } = await track(longText(2 * MIB));
    expect(reading.turns).toBeGreaterThan(30);
    const { turns, result } = await find({ list: pairs(2_000) });
    expect(turns).toBeGreaterThan(2);
    expect(result.unexamined).toEqual([]);
  });

  it("takes twice as long for twice as many arguments, and not longer", async () => {
    const { find } = await track(longText(MIB / 4));
    const few = await find({ list: pairs(1_000) });
    const many = await find({ list: pairs(2_000) });
    expect(few.turns).toBeGreaterThan(3);
    expect(many.turns).toBeLessThan(2.5 * few.turns);
  });

  it("ends, and says which tools were not examined", async () => {
    // Each of the values stands in each section, in part of a longer one.
    const list = Array.from({ length: 20_000 }, (_, at) => `a-${at % 50}-b`);
    const { find } = await track(`x-a-${list.join("-x x-")}`.repeat(6));
    const { result } = await find({ list });
    expect(result.unexamined).toEqual(["mail.read"]);
  });
});

describe("a value in a long text", () => {
  it("is found where two pieces of the text meet", async () => {
    const value = "ACCT-99-4711";
    for (let at = 65_520; at <= 65_545; at += 8) {
      const index = await indexText(`${"x ".repeat(at / 2)} ${value} and more`, createPace());
      const needle = toNeedle(value.toLowerCase());
      expect(index.some((section) => holds(section, needle))).toBe(true);
      expect(index.some((section) => holdsWhole(section, needle, value))).toBe(true);
    }
  });

  it("is not whole if only a piece of the text ends", async () => {
    for (let at = 64_505; at <= 65_540; at++) {
      if (at > 64_515 && at < 65_528) continue;
      const index = await indexText(
        `${"x ".repeat(at / 2)}${at % 2 ? "y" : ""}-ACCT-4711-`,
        createPace(),
      );
      const needle = toNeedle("acct-4711");
      expect(index.some((section) => holdsWhole(section, needle, "ACCT-4711"))).toBe(false);
    }
  });

  it("is found behind the first million characters", async () => {
    const policy = denyWhenFrom(["mail.*"], { to: { "bank.*": "*" } });
    const mail = `${"word ".repeat(220_000)}ACCT-99-4711`;
    const { read, pay, sources } = await openOffice(mail, { authorize: policy });
    await read();
    expect((await pay({ recipient: "ACCT-99-4711" })).type).toBe("refuse");
    expect(shown(sources())).toEqual(["recipient copy mail.read"]);
  });
});

describe("the arguments that are examined", () => {
  const seen = async (authorize: HostOptions["authorize"]) => {
    const { client } = await createTestServer({
      read: { answer: () => ({ content: [{ type: "text", text: "ACCT-99-4711, ACCT-11-0815" }] }) },
      pay: {},
    });
    const found: string[][] = [];
    const host = await createHost({
      servers: { bank: client },
      ...(authorize && { authorize }),
      use: [
        sources(),
        {
          name: "wrap",
          wrapCall: (call, next) => {
            found.push(shown(call.sources ?? []));
            return next(call);
          },
        },
      ],
    });
    await host.call({ tool: "read" }, { conversation: "s" });
    const args = { to: "ACCT-99-4711", note: "ACCT-11-0815" };
    await host.call({ tool: "pay", arguments: args }, { conversation: "s" });
    return found.at(-1);
  };
  const both = ["to copy bank.read", "note copy bank.read"];

  it("are those that policies name", async () => {
    expect(await seen(askWhenFrom(["bank.x*"], { to: { "bank.pay": ["to"] } }))).toEqual(
      both.slice(0, 1),
    );
    expect(await seen(askWhenFrom(["bank.x*"], { to: { "bank.pay": ["cc"] } }))).toEqual(both);
    expect(await seen(askWhenFrom(["bank.x*"], { to: { "bank.y*": ["to"] } }))).toEqual([]);
  });

  it("are all of them if there is no policy, or one of the application's own", async () => {
    const named = askWhenFrom(["bank.x*"], { to: { "bank.pay": ["to"] } });
    expect(await seen(undefined)).toEqual(both);
    expect(await seen([named, () => "allow"])).toEqual(both);
  });
});
