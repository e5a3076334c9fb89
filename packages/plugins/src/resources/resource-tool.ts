import type { ResourceTool } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject } from "@toolrail/json";

const MOST_PAGES = 16;
const MOST_LINKS = 1_000;
const METHOD_NOT_FOUND = -32_601;

export const INPUT_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    uri: {
      type: "string",
      description: "The address of a link. If omitted, links to all are listed.",
    },
  },
  additionalProperties: false,
};

/** Answers a call of the tool that reads resources: an embedded resource, or a list of links. Rejects as the client does. */
export const callResources: ResourceTool["call"] = async (port, { request, options }) => {
  const { meta } = request;
  const { uri } = request.arguments;
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
};
