import { chmod, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createHost, modelView } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { rules } from "@toolrail/core/rules";
import { expect, it, vi } from "vitest";

/** A program that stands for `npx` and the server that it starts: it finds and reads the files of one folder. */
const NPX = `#!${process.execPath}
const { readdirSync, readFileSync } = require("node:fs");
const folder = process.argv.at(-1);
const output = { type: "object", properties: { content: { type: "string" } } };
const tool = (name) => ({ name, inputSchema: { type: "object" }, outputSchema: output });
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "files", version: "1" },
  }),
  "tools/list": () => ({ tools: ["search_files", "read_text_file"].map(tool) }),
  "tools/call": ({ name, arguments: args }) => {
    const content = name === "search_files" ? folder + "/" + readdirSync(args.path)[0] : readFileSync(args.path, "utf8");
    return { content: [{ type: "text", text: content }], structuredContent: { content } };
  },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
});
`;

it("The first chain of the guide starts its server, reads the file that was found, and ends.", async () => {
  const programs = await mkdtemp(join(tmpdir(), "programs-"));
  await writeFile(join(programs, "npx"), NPX);
  await chmod(join(programs, "npx"), 0o755);
  vi.stubEnv("PATH", `${programs}${delimiter}${process.env.PATH}`);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});

  const folder = await realpath(await mkdtemp(join(tmpdir(), "notes-")));
  await writeFile(join(folder, "shopping.txt"), "Two bottles of milk.");

  const readTheOnlyMatch = {
    name: "read the only match",
    after: "files.search_files",
    when: { text: { pattern: "^[^\\n]+[.]txt$" } },
    next: { tool: "files.read_text_file", arguments: { path: { $ref: "structured.content" } } },
  };
  const host = await createHost({
    servers: { files: stdio("npx", ["mcp-server-filesystem", folder]) },
    use: [rules([readTheOnlyMatch])],
  });

  const request = { tool: "files.search_files", arguments: { path: folder, pattern: "*shop*" } };
  const chain = await host.run(request);
  console.log(chain.ended, chain.hops.length, "calls");
  for (const { text } of modelView(chain).content) console.log(text);

  await host.close(); // ends the program of the server; without it this script never ends
  expect(log.mock.calls.map((line) => line.join(" "))).toEqual([
    "complete 2 calls",
    "files.search_files:",
    `${folder}/shopping.txt`,
    "Then files.read_text_file was called:",
    "Two bottles of milk.",
  ]);
});
