import { isJsonObject, type JsonObject } from "@toolrail/json";
import { RESOURCES } from "../call/offered-links.ts";
import type { McpPort, PortOptions } from "../types/port.ts";
import { type HostTool, type ToolRef, toolId } from "../types/tool.ts";

const MOST_PAGES = 16;
const MOST_LINKS = 1_000;

const INPUT: JsonObject = {
  type: "object",
  properties: {
    uri: { type: "string", description: "The address of a link. Left out: lists links to all." },
  },
  additionalProperties: false,
};

/** The name that models are shown. */
const READ_RESOURCE = "read_resource";

export interface ResourceToolParts {
  readonly toModelName: (tool: ToolRef) => string | Promise<string>;
  /** True where models may read the resources of this server. */
  readonly readsResources: (server: string) => boolean;
}

/** The reading of a server's resources, as a tool of the host's own beside those of the server. */
export async function resourceTool(
  server: string,
  {
    tools,
    toModelName,
    readsResources,
  }: ResourceToolParts & { readonly tools: readonly HostTool[] },
): Promise<HostTool> {
  const isTaken = tools.some(({ name }) => name === READ_RESOURCE);
  return {
    server,
    name: RESOURCES,
    id: toolId({ server, name: RESOURCES }),
    modelName: await toModelName({ server, name: isTaken ? RESOURCES : READ_RESOURCE }),
    description: `Reads a resource of ${server} that a result has linked to, or lists its resources.`,
    inputSchema: INPUT,
    annotations: { readOnlyHint: true },
    forModel: readsResources(server),
  };
}

/** Answers a call of that tool: a resource embedded in a result, or a list of links. Rejects as the client does. */
export async function callResources(
  port: McpPort,
  {
    uri,
    meta,
    ...options
  }: PortOptions & { readonly uri: unknown; readonly meta?: JsonObject | undefined },
): Promise<unknown> {
  const ask = (method: "resources/read" | "resources/list", params: JsonObject) => {
    if (port.request) return port.request({ method, params, meta }, options);
    throw Object.assign(new Error("this server has no resources"), { code: METHOD_NOT_FOUND });
  };
  if (uri !== undefined) {
    const answer = await ask("resources/read", { uri });
    const { contents, ...rest } = isJsonObject(answer) ? answer : {};
    const content = Array.isArray(contents)
      ? contents.map((resource) => ({ type: "resource", resource }))
      : null;
    return { ...rest, content };
  }
  const content: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES && content.length < MOST_LINKS; page++) {
    const answer = await ask("resources/list", cursor === undefined ? {} : { cursor });
    const { resources, nextCursor } = isJsonObject(answer) ? answer : {};
    if (!Array.isArray(resources)) return { content: null };
    const links = resources
      .filter(isJsonObject)
      .map((link) => ({ ...link, type: "resource_link" }));
    content.push(...links.slice(0, MOST_LINKS - content.length));
    if (nextCursor === undefined || nextCursor === null) break;
    cursor = nextCursor;
  }
  return { content };
}

const METHOD_NOT_FOUND = -32_601;
