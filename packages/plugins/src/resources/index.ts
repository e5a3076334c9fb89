/** The resources of servers, for the application and for models. @module */

export { type ResourceReading, readResource } from "./read-resource.ts";

import { type ToolCall, ToolrailError } from "@toolrail/core";
import {
  createMemoryStore,
  type HostUse,
  isForModel,
  RESOURCES,
  suggestName,
  toConversationKey,
} from "@toolrail/core/plugin";
import { callResources, INPUT_SCHEMA } from "./resource-tool.ts";

/** The limits of links in memory. If it is full, the oldest links of the largest conversation are removed. */
const LINKS = { maxBytes: 4_194_304, maxConversationBytes: 262_144 };
const LONGEST_URI = 2_048;

/**
 * Makes the resources of servers readable, by `readResource` and by models: they are offered a tool `read_resource` for each
 * server, which lists resources and reads those that a result in the same `conversation` has linked to. A list names the servers
 * whose resources models may read. If it is empty, only the application reads.
 */
export function resources(readers: true | readonly string[] = true): HostUse {
  return ({ now, limits, servers }) => {
    checkReaders(readers, servers);
    const links = createMemoryStore({ ...LINKS, now });
    const toKey = ({ tool, conversation }: ToolCall, uri: string) =>
      toConversationKey(conversation, JSON.stringify([tool.server, uri]));
    return {
      name: "resources",
      resources: {
        define: (server) => ({
          modelName: "read_resource",
          description: `Reads a resource of ${server} that a result has linked to, or lists its resources.`,
          inputSchema: INPUT_SCHEMA,
          annotations: { readOnlyHint: true },
          forModel: readers === true || readers.includes(server),
        }),
        call: callResources,
      },
      provides: { resources: true },
      // Models may read only resources that results have linked to.
      examineCall(call) {
        const { tool, arguments: args, origin, conversation } = call;
        const isModels =
          origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
        const isOwn = origin.by === "application" || (origin.by === "pipe" && !isModels);
        if (tool.name !== RESOURCES || args.uri === undefined || isOwn) return undefined;
        if (links.get(toKey(call, String(args.uri)))) return undefined;
        throw new ToolrailError("not-allowed", conversation ? NO_LINK : NO_CONVERSATION);
      },
      recordCall(call, outcome) {
        if (call.conversation === undefined || !("content" in outcome)) return;
        for (const { type, uri, resource } of outcome.content.filter(isForModel)) {
          const linked = type === "resource_link" ? uri : resource?.uri;
          if (!linked || linked.length > LONGEST_URI) continue;
          links.set(toKey(call, linked), true, limits.pendingHopTtlMs);
        }
      },
    };
  };
}

function checkReaders(readers: true | readonly string[], servers: readonly string[]): void {
  if (readers === true) return;
  if (!Array.isArray(readers)) {
    const message = '`resources` takes a list of servers, or nothing for all: resources(["docs"]).';
    throw new ToolrailError("invalid-options", message);
  }
  const unknown = readers.find((name) => !servers.includes(name));
  if (unknown === undefined) return;
  const message = `\`resources\` names the server ${JSON.stringify(unknown)}, which this host does not have. ${suggestName(String(unknown), servers)}`;
  throw new ToolrailError("invalid-options", message);
}

const NO_CONVERSATION =
  "The resource was not read: the call states no conversation, so it is not known which links this model was offered.";
const NO_LINK =
  "The resource was not read: no result of this conversation links to it. Call the tool without `uri` to list the resources.";
