// How many model calls pipes would save in the multi-turn conversations of BFCL v4, by replaying its ground truth:
//   npm run evidence:bfcl -- [PATH-OF-A-CLONE]
// Without a clone it fetches the files that it reads, at a pinned commit. Needs Python 3.9.
import { isDeepStrictEqual } from "node:util";
import { fetchPinned, readPinned } from "../pinned-files.ts";
import { cutTurn, type Origin, type Step } from "./cut-turn.ts";
import { type Conversation, loadConversations } from "./load-conversations.ts";
import { runPipes } from "./run-pipes.ts";

const pinned = await readPinned(new URL("pinned.json", import.meta.url));
const conversations = await loadConversations(process.argv[2] ?? (await fetchPinned(pinned)));

const origins = new Map<Origin, number>();
const sums = { turns: 0, calls: 0, relayed: 0, batches: 0, pipes: 0, careful: 0, same: 0 };
for (const conversation of conversations) {
  const pipes = countCalls(conversation);
  const received = await runPipes(conversation, pipes);
  const expected = conversation.turns.flatMap(({ calls }) =>
    calls.map(({ tool, arguments: args }) => ({ tool, arguments: args })),
  );
  if (isDeepStrictEqual(received, expected)) sums.same++;
}

const values = [...origins.values()].reduce((sum, count) => sum + count, 0);
const share = (...names: Origin[]) => {
  const count = names.reduce((sum, name) => sum + (origins.get(name) ?? 0), 0);
  return `${String(count).padStart(6)}  ${((100 * count) / values).toFixed(0).padStart(3)}%`;
};
const row = (name: string, count: number) =>
  `  ${name.padEnd(58)}${String(count).padStart(6)}  ${(sums.relayed / count).toFixed(2)}x`;
console.log(`BFCL v4, multi-turn base: ${conversations.length} conversations, ${sums.turns} turns, ${sums.calls} calls

Model calls, one for each tool call or pipe and one for each answer
${row("relayed: a model call for each tool call", sums.relayed)}
${row("several calls at once, where a model knows their values", sums.batches)}
${row("pipes, if a model knows what it makes up beforehand", sums.pipes)}
${row("pipes, if it has to read all results before that", sums.careful)}

Values of arguments (${values} texts and numbers)
  said by the user                        ${share("user")}
  in a result, in the same turn           ${share("result", "part")}
  in a result or argument of earlier turns${share("earlier")}
  made up by the model                    ${share("model")}

Replayed through Toolrail as pipes, ${sums.same} of ${conversations.length} conversations made the calls of the ground truth, value by value.
This counts what a model could save that writes each pipe right, from calls that are known to be right: it says nothing
about how often a model does. A model that asks for several calls at once saves nearly as much without a pipe, but then
they run side by side, and in these conversations the order often matters. The description of mcp_pipe, which each model
call carries, is not counted.`);

/** Adds up one conversation, and returns its pipes. */
function countCalls({ turns }: Conversation): readonly (readonly Step[])[] {
  let [said, before] = ["", ""];
  const all: (readonly Step[])[] = [];
  for (const turn of turns) {
    said += `\n${turn.user}`;
    const { pipes, origins: found } = cutTurn(turn, { said, before, reads: ["part"] });
    const count = (...reads: Origin[]) => cutTurn(turn, { said, before, reads }).pipes.length + 1;
    for (const origin of found) origins.set(origin, (origins.get(origin) ?? 0) + 1);
    sums.turns++;
    sums.calls += turn.calls.length;
    sums.relayed += turn.calls.length + 1;
    sums.batches += count("part", "result");
    sums.pipes += pipes.length + 1;
    sums.careful += count("part", "model");
    before += JSON.stringify(turn.calls);
    all.push(...pipes);
  }
  return all;
}
