import { createHost, type McpPort } from "../src/index.ts";

/** A host on a server that lists the tool `open` alone until it is called, and `unlocked` afterwards. */
export async function openHouse(unlocked: readonly string[], nextTool?: object) {
  const calls: string[] = [];
  let listener = () => {};
  const inputSchema = { type: "object" };
  const port: McpPort = {
    async list() {
      const names = calls.includes("open") ? ["open", ...unlocked] : ["open"];
      return { tools: names.map((name) => ({ name, inputSchema })) };
    },
    async call({ name }) {
      calls.push(name);
      if (name === "open") listener();
      const content = [{ type: "text", text: `${name} done` }];
      return { content, ...(name === "open" && nextTool && { _meta: { nextTool } }) };
    },
    watch(changed) {
      listener = changed;
      return () => {};
    },
  };
  return { host: await createHost({ servers: { house: port } }), calls };
}
