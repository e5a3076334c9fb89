// Packs all public packages into dist/packages, and prints how a project elsewhere installs them. They must be built.
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { packAll } from "./pack-all.ts";

const folder = join(import.meta.dirname, "../dist/packages");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const packed = packAll(folder);
const install = (...names: readonly string[]) =>
  `npm install ${names.map((name) => join(folder, `${name}.tgz`)).join(" ")}`;

console.log(`${packed.length} packages are in ${folder}:`);
for (const { name, tarball } of packed) console.log(`  ${basename(tarball).padEnd(20)} ${name}`);
console.log(`
In a project of yours, for the Vercel AI SDK:
  ${install("core", "ai-sdk")} ai @modelcontextprotocol/client
For LangChain and LangGraph.js:
  ${install("core", "langgraph")} @langchain/core @langchain/langgraph langchain @modelcontextprotocol/client
For an MCP server of yours:
  ${install("core", "server")} @modelcontextprotocol/sdk
For the command:
  ${install("core", "cli")}`);
