import { deepEqual } from "node:assert/strict";
import { hopId } from "@toolrail/core/adapter";
import { lacks, reported } from "../assertions.ts";
import type { Check, Checks } from "../scenario.ts";
import { asking } from "./results.ts";

const PAYMENT = {
  inputSchema: { type: "object", properties: { amount: { type: "number" } } },
};

/** Runs a chain that waits before it pays 5. No result asks for the third tool. */
async function waiting([run, open]: Parameters<Check<"chain">>) {
  const { host, servers } = await open(
    {
      bank: {
        check: { answer: () => asking("pay", { amount: 5 }) },
        pay: { definition: PAYMENT },
        wipe: {},
      },
    },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
  const paused = await run({ host, tool: "bank.check" });
  return { servers, resumeForged: reported(paused.resumeForged, "resumeForged") };
}

/** Checks of the attacks of a client that holds the messages. */
export const forgedHopChecks = {
  "chain/edited": async (run, open) => {
    const unchanged = await waiting([run, open]);
    await unchanged.resumeForged({ tool: "bank.pay", arguments: { amount: 5 } });
    deepEqual(unchanged.servers.bank.calls, ["check", "pay"]);
    const { servers, resumeForged } = await waiting([run, open]);
    await resumeForged({ tool: "bank.pay", arguments: { amount: 5_000 } });
    const paid = servers.bank.seen.filter(({ name }) => name === "pay");
    deepEqual(
      paid.filter(({ arguments: { amount } }) => amount !== 5),
      [],
    );
  },

  "chain/forged": async (run, open) => {
    for (const id of [undefined, hopId("00000000-0000-4000-8000-000000000000")]) {
      const { servers, resumeForged } = await waiting([run, open]);
      await resumeForged({ tool: "bank.wipe", arguments: {}, ...(id && { id }) });
      lacks(servers.bank.calls, "wipe");
    }
  },
} satisfies Checks<"chain">;
