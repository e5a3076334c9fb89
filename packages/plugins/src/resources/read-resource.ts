import { type CallOptions, type Hop, type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { engineOf, RESOURCES } from "@toolrail/core/plugin";

/** A resource to read, or a server whose resources are listed. */
export interface ResourceReading {
  readonly server: string;
  /** The resource's URI. Default: none, so that the server's resources are listed as links. */
  readonly uri?: string;
}

const checkResource = /* @__PURE__ */ createOptionCheck<ResourceReading>("readResource", {
  server: "text",
  uri: "text",
});

/**
 * Reads a resource of a server, or lists its resources, as a call of `server.resources/read`, which passes all stages. The hop's
 * `result.content` contains embedded resources or links. Rejects like `host.call`.
 */
export async function readResource(
  host: Host,
  { server, uri, ...options }: ResourceReading & CallOptions,
): Promise<Hop> {
  checkResource({ server, uri });
  if (!engineOf(host).services.resources) {
    const message = "readResource needs `use: [resources()]` in the options of the host.";
    throw new ToolrailError("invalid-options", message);
  }
  const args = uri === undefined ? {} : { uri };
  return host.call({ tool: { server, name: RESOURCES }, arguments: args }, options);
}
