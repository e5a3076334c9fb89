import { once } from "@toolrail/plugins/once";
import { expect, it } from "vitest";
import type { HostOptions, Plugin, Store } from "../../src/index.ts";
import { AFTER_CRASH_MS, openWorkers } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };

type Workers = ReturnType<typeof openWorkers>;

/** The process stops for longer than its claim holds, as one whose machine is suspended; another worker makes the call. */
async function sleep({ clock, work }: Workers): Promise<void> {
  clock.aheadMs += AFTER_CRASH_MS;
  const { host } = await work({ use: [once({ afterCrash: "repeat" })] });
  expect((await host.run(PAY, AT)).ended).toBe("complete");
}

/** A worker that sleeps while it waits for the answer to its claim. */
function withClaim(workers: Workers): Partial<HostOptions> {
  const { store } = workers;
  const claim: Store["claim"] = async (key, value, ttlMs) => {
    const isOwn = store.claim(key, value, ttlMs);
    await sleep(workers);
    return isOwn;
  };
  return { store: { ...store, claim } };
}

/** A worker that sleeps between its claim and the call. */
function withMeta(workers: Workers): Partial<HostOptions> {
  const requestMeta: Plugin["requestMeta"] = async ({ method }) => {
    if (method === "tools/call") await sleep(workers);
    return undefined;
  };
  return { use: [{ name: "request", requestMeta }] };
}

it.each([
  ["waits for its claim", withClaim],
  ["is about to make the call", withMeta],
])(
  "A worker that sleeps while it %s makes no call that another has made since, and neither does anyone later.",
  async (_, toOptions) => {
    const workers = openWorkers();
    const { host } = await workers.work(toOptions(workers));
    const { error } = await host.run(PAY, AT);
    expect(error?.code).toBe("claimed-elsewhere");
    expect(workers.calls).toHaveLength(1);
    const later = await workers.work({ use: [once({ afterCrash: "repeat" })] });
    const { hops } = await later.host.run(PAY, AT);
    expect(hops).toMatchObject([{ result: { content: [{ text: "pay 1" }] } }]);
    expect(workers.calls).toHaveLength(1);
  },
);

it("A claim that is granted to a worker that has given up, and after its time, is not taken back.", async () => {
  const workers = openWorkers();
  const { store, calls } = workers;
  const aborter = new AbortController();
  const claim: Store["claim"] = async (key, value, ttlMs) => {
    const isOwn = store.claim(key, value, ttlMs);
    aborter.abort();
    await sleep(workers);
    return isOwn;
  };
  const { host } = await workers.work({ store: { ...store, claim } });
  await host.run(PAY, { ...AT, signal: aborter.signal });
  while (calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  const later = await workers.work({ use: [once({ afterCrash: "repeat" })] });
  expect((await later.host.run(PAY, AT)).ended).toBe("complete");
  expect(calls).toHaveLength(1);
});
