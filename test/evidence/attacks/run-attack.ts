import { createHost, type HostOptions } from "@toolrail/core";
import { createSingleStep } from "@toolrail/guard";
import { askUnlessFrom, askWhenFrom, sources } from "@toolrail/plugins/sources";
import type { Attack } from "./attacks.ts";
import { openWorld } from "./world.ts";

const TO = { "bank.send_money": ["recipient"] } as const;
const ADD = { "contacts.add_contact": ["iban"] } as const;
const TRUSTED = ["user", "contacts.find_contact"] as const;

/** What a host can do, from nothing to one call for each question. */
export const PROTECTIONS = {
  nothing: { authorize: () => "allow" },
  "`askWhenFrom`": { use: [sources()], authorize: askWhenFrom(["mail.*"], { to: TO }) },
  "`askUnlessFrom`": { use: [sources()], authorize: askUnlessFrom(TRUSTED, { to: TO }) },
  "`add_contact` too": {
    use: [sources()],
    authorize: askUnlessFrom(TRUSTED, { to: { ...TO, ...ADD } }),
  },
  "`amount` too": {
    use: [sources()],
    authorize: askUnlessFrom(TRUSTED, {
      to: { "bank.send_money": ["recipient", "amount"], ...ADD },
    }),
  },
  "each write": {
    authorize: ({ tool }) => (/send|add/.test(tool.name) ? "ask" : "allow"),
  },
  "single step": "guard",
} as const satisfies Readonly<Record<string, Omit<HostOptions, "servers"> | "guard">>;

export type Protection = keyof typeof PROTECTIONS;

/** What became of an attack: the transfer was made, a call waits for a person, or a call was refused. */
export type Outcome = "runs" | "asks" | "refused";

export interface Result {
  readonly outcome: Outcome;
  /** What the person reads, if one is asked. */
  readonly reason?: string | undefined;
}

/** Makes the calls of a model that obeys the attack, until one waits or is refused. */
export async function runAttack(
  { mails, userText, calls, wanted }: Attack,
  protection: Protection,
): Promise<Result> {
  const { servers, transfers } = await openWorld(mails);
  const chosen = PROTECTIONS[protection];
  const host = await createHost({
    servers,
    ...(chosen === "guard" ? { authorize: () => "allow" as const } : chosen),
  });
  const guard = createSingleStep(host, { allow: ["*"], contract: "off" });
  const query = guard.startQuery();
  const options = { origin: { by: "model" }, conversation: "chat", userText } as const;
  try {
    for (const call of calls) {
      if (chosen === "guard") {
        const { verdict } = await query.call(call, options);
        if (verdict === "block") return { outcome: "refused" };
        continue;
      }
      const chain = await host.run(call, options);
      if (chain.ended === "needs-approval")
        return { outcome: "asks", reason: chain.pending?.reason };
      if (chain.ended !== "complete") return { outcome: "refused" };
    }
    const isMade = transfers.some(
      ({ recipient, amount }) => recipient === wanted.recipient && amount === wanted.amount,
    );
    return { outcome: isMade ? "runs" : "refused" };
  } finally {
    await host.close();
  }
}
