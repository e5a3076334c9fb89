import { existsSync } from "node:fs";
import { mkdtemp, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHost } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { expect, it, onTestFinished, vi } from "vitest";

it("The program of docs/langgraph.md asks a person, and makes the folder that they approve.", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "notes-")));
  await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});

  const host = await createHost({
    servers: { files: stdio("npx", ["mcp-server-filesystem", "."]) },
    requireApproval: ["files.create_directory"],
  });
  const model = fakeModel() // a script: take your own model
    .respondWithTools([{ name: "create_directory", args: { path: "notes" }, id: "1" }])
    .respond(new AIMessage("I have made it."));
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  const input = { messages: [{ role: "user", content: "Make a folder for my notes." }] };
  const { __interrupt__: waiting } = await agent.invoke(input, config);
  console.log(waiting?.[0]?.value); // what the person is asked
  const resume = { decisions: [{ type: "approve" }] };
  const { messages } = await agent.invoke(new Command({ resume }), config);
  console.log(messages.at(-1)?.text); // "I have made it.", and the folder is there
  await host.close();

  const [[asked], [said]] = log.mock.calls as [[object], [string]];
  expect(asked).toMatchObject({ actionRequests: [{ name: "create_directory" }] });
  expect(said).toBe("I have made it.");
  expect(existsSync(join(folder, "notes"))).toBe(true);
});
