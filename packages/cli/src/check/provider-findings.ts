import type { HostTool } from "@toolrail/core";
import type { Finding } from "./finding.ts";

/** What the large providers refuse at the top of a schema, by their published rules. */
const AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

/** What providers refuse in a tool, so that a host which passes it on as it is loses the whole request. */
export function findProviderFindings({ server, name: tool, inputSchema }: HostTool): Finding[] {
  const should = (path: string, message: string): Finding => {
    const rule = "provider-schema";
    return { profile: "mcp", severity: "should", server, tool, rule, path, message };
  };
  const { properties } = inputSchema;
  if (properties === undefined) {
    const message = 'OpenAI refuses an inputSchema without properties: add "properties": {}.';
    return [should("/inputSchema/properties", message)];
  }
  const unions = AT_TOP.filter((keyword) => Object.hasOwn(inputSchema, keyword));
  const names = Object.keys(Object(properties)).filter((key) => !/^[\w.-]{1,64}$/.test(key));
  return [
    ...unions.map((keyword) => {
      const message = `OpenAI and others refuse ${keyword} at the top of an inputSchema: move it into a property, or make two tools.`;
      return should(`/inputSchema/${keyword}`, message);
    }),
    ...names.map((key) => {
      const message = `Anthropic refuses the property ${JSON.stringify(key)}: use at most 64 of A-Z, a-z, 0-9, "_", "." and "-".`;
      return should("/inputSchema/properties", message);
    }),
  ];
}
