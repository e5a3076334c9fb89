import { toToolTest } from "../call/tool-patterns.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { plainLine } from "../json/plain-text.ts";
import { DESCRIBED_CLIENT, type ServerOption } from "../servers/to-port.ts";
import type { NamedTools } from "../types/tool.ts";
import type { Policy } from "../types/tool-call.ts";
import type {
  ConnectServer,
  DescribedServer,
  HostOptions,
  Server,
  ServerFacts,
} from "./host-options.ts";

export interface NamedServer extends ServerFacts {
  readonly name: string;
  readonly server: ServerOption | ConnectServer;
}

const checkServer = /* @__PURE__ */ createOptionCheck<DescribedServer>("A server", {
  ...DESCRIBED_CLIENT,
  prefix: "boolean",
  nextTool: "list",
  invalidOutput: oneOf("fail", "show"),
});

/** Reads the servers of the options. Throws `invalid-options` if there are none, and for an invalid description. */
export function readServers({ servers }: Partial<HostOptions>): readonly NamedServer[] {
  const entries = Object.entries(servers ?? {});
  if (entries.length > 0 && entries.every(([name]) => name !== "")) return entries.map(readServer);
  throw invalidOptions("`servers` needs at least one client or port, by the name of its server.");
}

function readServer([name, given]: [string, Server]): NamedServer {
  if (name.includes(".") || plainLine(name) !== name) {
    throw invalidOptions(
      `The name "${name}" of a server must have no dots and no control characters, since the ids of tools are \`server.tool\`.`,
    );
  }
  if (typeof given !== "object" || given === null || !("client" in given)) {
    return { name, server: given };
  }
  checkServer(given, `the server "${name}"`);
  const { prefix, nextTool, invalidOutput, ...described }: DescribedServer = given;
  const { client, kind, shared } = described;
  const facts = {
    name,
    ...(prefix !== undefined && { prefix }),
    ...(nextTool && { nextTool }),
    ...(invalidOutput && { invalidOutput }),
  };
  if (typeof client !== "function") return { ...facts, server: { ...described, client } };
  if (kind === undefined && shared === undefined) return { ...facts, server: client };
  throw invalidOptions(
    `The function that connects the server "${name}" must itself return \`kind\` and \`shared\`: { client, shared: true }.`,
  );
}

/** Collects the names of tools in the options of the host and of plugins, and whether they protect. */
export function collectNames(
  options: HostOptions,
  ofPlugins: readonly NamedTools[],
): readonly NamedTools[] {
  const { allow, requireApproval = [], schemas = {} } = options;
  const namesOf = (option: string, patterns: readonly string[], protects = false) =>
    patterns.map((pattern): NamedTools => ({ option, pattern, protects }));
  return [
    ...namesOf("allow", Array.isArray(allow) ? allow : [], true),
    ...namesOf("requireApproval", Array.isArray(requireApproval) ? requireApproval : [], true),
    ...namesOf("schemas", Object.keys(schemas)),
    ...ofPlugins,
  ];
}

/** Turns `authorize` and `requireApproval` into policies. Destructive tools ask as well, unless `authorize` decides about calls. */
export function readPolicies({
  authorize = [],
  requireApproval = [],
}: Pick<HostOptions, "authorize" | "requireApproval">): {
  readonly policies: readonly Policy[];
  readonly asksIfDestructive: boolean;
} {
  const policies = [authorize].flat();
  const asksIfDestructive = policies.length === 0;
  if (requireApproval.length === 0 && typeof requireApproval !== "function") {
    return { policies, asksIfDestructive };
  }
  const isAsked =
    typeof requireApproval === "function"
      ? requireApproval
      : toToolTest(requireApproval, "requireApproval");
  // Only `false` leaves nobody asked, so that a promise or a forgotten `return` protects.
  const required: Policy = ({ tool, origin }) =>
    origin.by !== "application" && isAsked(tool, origin) !== false ? "ask" : "allow";
  return { policies: [...policies, required], asksIfDestructive };
}

export function readSecret(secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length >= 32) return secret;
  throw invalidOptions("`secret` must be at least 32 random characters long.");
}
