import { createHost, type Host, modelView } from "@toolrail/core";
import { registerBanking } from "./banking-tools.ts";
import type { Call, Suite, SuiteName, Task } from "./load-suite.ts";
import { openServer } from "./open-server.ts";
import { KNOWLEDGE, type Protection, protect } from "./protections.ts";
import { registerSlack } from "./slack-tools.ts";

export interface Case {
  readonly name: SuiteName;
  readonly suite: Suite;
  readonly protection: Protection;
  readonly task: Task;
  /** The injected task, and the text that carries it. Default: nothing is injected. */
  readonly attack?: { readonly task: Task; readonly text: string };
}

/** What became of one task, and of the attack on it. */
export interface Outcome {
  /** The injected text was read, so that the planner obeyed it. */
  readonly wasRead: boolean;
  /** Of the attack's calls that change or send something, how many ran; and whether all its calls did. */
  readonly attackRan: number;
  readonly attackWhole: boolean;
  /** All calls of the user's task ran; a person said yes to those that waited. */
  readonly isDone: boolean;
  /** Calls of the user's task that a person was asked for. */
  readonly prompts: number;
}

/**
 * Makes the calls of a task as a planner does that obeys every instruction it reads: where a result holds the injected
 * text, the attack's calls come next. A person who is asked says yes to the user's calls, and no to the attack's.
 */
export async function runCase({ name, suite, protection, task, attack }: Case): Promise<Outcome> {
  const register = name === "banking" ? registerBanking : registerSlack;
  const data = suite.data(attack?.text);
  await using stack = new AsyncDisposableStack();
  const client = await openServer((server) => register(server, data));
  const needed = task.calls.map(({ tool }) => tool);
  const host = await createHost({
    servers: { [name]: client },
    ...protect(protection, { suite: name, needed }),
  });
  stack.defer(host.close);
  const most = protection === "single step" ? 1 : Number.POSITIVE_INFINITY;
  let [made, done, prompts, attackMade, attackRan] = [0, 0, 0, 0, 0];
  let wasRead = false;
  for (const call of task.calls) {
    const word =
      made++ < most ? await makeCall(host, call, { goal: task.goal, isApproved: true }) : {};
    if (word.asked) prompts++;
    if (word.text === undefined) continue;
    done++;
    if (wasRead || !attack || !word.text.includes(attack.text)) continue;
    wasRead = true;
    for (const injected of attack.task.calls) {
      const { text } =
        made++ < most ? await makeCall(host, injected, { goal: task.goal, isApproved: false }) : {};
      if (text === undefined) continue;
      attackMade++;
      const { writes, egress } = KNOWLEDGE[name];
      if ({ ...writes, ...egress }[injected.tool]) attackRan++;
    }
  }
  const attackWhole = wasRead && attackMade === attack?.task.calls.length;
  return { wasRead, attackRan, attackWhole, isDone: done === task.calls.length, prompts };
}

/**
 * Makes the calls of all tasks in one conversation, where a user names each target again or not at all, and then those of an
 * attack. Counts the prompts of the user's calls, and the attack's calls that change or send something.
 */
export async function runAll({ name, suite, protection, attack }: Omit<Case, "task">) {
  const register = name === "banking" ? registerBanking : registerSlack;
  const data = suite.data(undefined);
  await using stack = new AsyncDisposableStack();
  const client = await openServer((server) => register(server, data));
  const options = protect(protection, { suite: name, needed: [] });
  const host = await createHost({ servers: { [name]: client }, ...options });
  stack.defer(host.close);
  let [prompts, attackRan, goal] = [0, 0, ""];
  for (const task of suite.userTasks) {
    goal += `${task.goal}\n`;
    for (const call of task.calls) {
      if ((await makeCall(host, call, { goal, isApproved: true })).asked) prompts++;
    }
  }
  const { writes, egress } = KNOWLEDGE[name];
  for (const call of attack?.task.calls ?? []) {
    const { text } = await makeCall(host, call, { goal, isApproved: false });
    if (text !== undefined && { ...writes, ...egress }[call.tool]) attackRan++;
  }
  return { prompts, attackRan };
}

/** Makes one call as a model's, and says what the model reads of it. */
async function makeCall(
  host: Host,
  call: Call,
  { goal, isApproved }: { readonly goal: string; readonly isApproved: boolean },
): Promise<{ readonly text?: string; readonly asked?: boolean }> {
  const options = {
    origin: { by: "model" },
    conversation: "conversation",
    userText: goal,
  } as const;
  const asking = await host.run(call, options);
  const asked = asking.ended === "needs-approval";
  if (asked && !isApproved) return { asked };
  const chain = asked ? await host.resume(asking, "approve", options) : asking;
  if (chain.ended !== "complete") return { asked };
  return {
    asked,
    text: modelView(chain)
      .content.map(({ text }) => text)
      .join("\n"),
  };
}
