import type { HostOptions } from "@toolrail/core";
import { askUnlessFrom, askWhenFrom, sources } from "@toolrail/plugins/sources";
import type { SuiteName } from "./load-suite.ts";

/** What a host can do against instructions in what a model reads. */
export const PROTECTIONS = [
  "bare",
  "allowlist of the task",
  "single step",
  "approve each write",
  "ask when copied",
  "ask unless from the user",
  "the same, once for each target",
  "the same, and reads that send",
  "with these reads, once for each target",
] as const;
export type Protection = (typeof PROTECTIONS)[number];

interface Knowledge {
  /** Tools whose results an attacker may have written. */
  readonly untrusted: readonly string[];
  readonly trusted: readonly string[];
  /** Tools that change something, with the arguments that say whereto; `"*"`: all of them. */
  readonly writes: Readonly<Record<string, readonly string[] | "*">>;
  /** Tools that only read, and by that send to where they read. */
  readonly egress: Readonly<Record<string, readonly string[]>>;
}

/** Listed by hand, knowing the suites, as an operator would who knows the servers. */
export const KNOWLEDGE: Readonly<Record<SuiteName, Knowledge>> = {
  banking: {
    untrusted: ["read_file", "get_most_recent_transactions"],
    trusted: ["get_iban", "get_balance", "get_user_info", "get_scheduled_transactions"],
    writes: {
      send_money: ["recipient"],
      schedule_transaction: ["recipient"],
      update_scheduled_transaction: ["recipient"],
      update_password: "*",
      update_user_info: "*",
    },
    egress: {},
  },
  slack: {
    untrusted: ["get_webpage", "read_channel_messages", "read_inbox", "get_channels"],
    trusted: ["get_users_in_channel"],
    writes: {
      send_direct_message: ["recipient"],
      send_channel_message: ["channel"],
      add_user_to_channel: "*",
      invite_user_to_slack: "*",
      remove_user_from_slack: "*",
      post_webpage: ["url"],
    },
    egress: { get_webpage: ["url"] },
  },
};

/** The options of a host with one protection. The allowlist is an oracle: it knows the calls that the task needs. */
export function protect(
  protection: Protection,
  { suite, needed }: { readonly suite: SuiteName; readonly needed: readonly string[] },
): Omit<HostOptions, "servers"> {
  const { untrusted, trusted, writes, egress } = KNOWLEDGE[suite];
  const toId = (tool: string) => `${suite}.${tool}`;
  const withIds = (targets: Knowledge["writes"]) =>
    Object.fromEntries(Object.entries(targets).map(([tool, names]) => [toId(tool), names]));
  const fromUser = ["user", ...trusted.map(toId)];
  const after = untrusted.map(toId);
  switch (protection) {
    case "bare":
    case "single step":
      return {};
    case "allowlist of the task":
      return { allow: needed.map(toId) };
    case "approve each write":
      return { authorize: ({ tool }) => (Object.hasOwn(writes, tool.name) ? "ask" : "allow") };
    case "ask when copied":
      return { use: [sources()], authorize: askWhenFrom(after, { to: withIds(writes) }) };
    case "ask unless from the user":
      return {
        use: [sources()],
        authorize: askUnlessFrom(fromUser, { to: withIds(writes), after }),
      };
    case "the same, once for each target":
      return {
        use: [sources({ endorse: true })],
        authorize: askUnlessFrom(fromUser, { to: withIds(writes), after }),
      };
    case "the same, and reads that send":
      return {
        use: [sources()],
        authorize: askUnlessFrom(fromUser, { to: withIds({ ...writes, ...egress }), after }),
      };
    case "with these reads, once for each target":
      return {
        use: [sources({ endorse: true })],
        authorize: askUnlessFrom(fromUser, { to: withIds({ ...writes, ...egress }), after }),
      };
  }
}
