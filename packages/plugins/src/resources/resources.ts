import { ToolrailError } from "@toolrail/core";
import { type HostKit, type HostPlugin, RESOURCES, suggestName } from "@toolrail/core/plugin";
import { createOfferedLinks } from "./offered-links.ts";
import { resourceTool } from "./resource-tool.ts";

/**
 * Makes the resources of servers readable, by `readResource` and by models: they are offered a tool `read_resource` for each
 * server, which lists resources and reads those that a result in the same `conversation` has linked to. A list names the servers
 * whose resources models may read. If it is empty, only the application reads.
 */
export function resources(readers: true | readonly string[] = true): (kit: HostKit) => HostPlugin {
  return ({ now, limits, servers }) => {
    checkReaders(readers, servers);
    const links = createOfferedLinks(now, limits.pendingHopTtlMs);
    return {
      name: "resources",
      resources: resourceTool((server) => readers === true || readers.includes(server)),
      provides: { resources: true },
      // Models may read only resources that results have linked to.
      examineCall({ tool, arguments: args, origin, conversation }) {
        const isModels =
          origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
        const isOwn = origin.by === "application" || (origin.by === "pipe" && !isModels);
        if (tool.name !== RESOURCES || args.uri === undefined || isOwn) return undefined;
        // An app may ask its server for anything except local files, which a result must have linked to.
        if (origin.by === "app" && !/^\s*file:/i.test(String(args.uri))) return undefined;
        if (links.has({ tool, conversation }, String(args.uri))) return undefined;
        throw new ToolrailError("not-allowed", NO_LINK);
      },
      recordCall(call, outcome) {
        if ("content" in outcome) links.remember(call, outcome);
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

const NO_LINK =
  "The resource was not read: no result of this conversation links to it. Call the tool without `uri` to list the resources.";
