import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createTools, withChaining } from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import { createPipeTool } from "@toolrail/ai-sdk/pipe";
import { type Hop, type Host, userView } from "@toolrail/core";
import type { SingleStepOptions } from "@toolrail/core/guard";
import { chainMiddleware, createTools as createToolList } from "@toolrail/langgraph";
import { singleStepMiddleware } from "@toolrail/langgraph/guard";
import { createPipeTool as createPipeTools } from "@toolrail/langgraph/pipe";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { createAgent } from "langchain";
import { majorNamed, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";

type JsonObject = Readonly<Record<string, unknown>>;

interface Call {
  readonly tool: string;
  readonly arguments?: JsonObject;
}

/** What the model says in one turn: a text, or calls. */
type Turn = string | readonly Call[];

interface Script {
  /** The model's turns. The last one is repeated. */
  readonly turns: readonly Turn[];
  /** Offers `mcp_pipe` beside the tools of the host. */
  readonly pipe?: boolean;
  /** Allows one call for the query, by these rules. */
  readonly guard?: SingleStepOptions;
}

/** What became of a user's query. */
export interface Run {
  /** What the model read at each of its turns, as one text. */
  readonly read: readonly string[];
  /** The text that ended the run. */
  readonly answer: string;
  /** What the user alone was shown. */
  readonly shown: readonly string[];
  /** What the application gets as the results of `mcp_pipe`. */
  readonly pipes: readonly JsonObject[];
  /** The calls that wait for a person. */
  readonly waiting: readonly Call[];
  /** Goes on with the person's answer to them. */
  decide(isApproved: boolean): Promise<Run>;
}

interface Framework {
  readonly name: string;
  ask(host: Host, script: Script): Promise<Run>;
}

/** The texts of a result that only the user may read. */
function verbatim(hop: Hop): string[] {
  return userView(hop).verbatim.map(({ text = "" }) => text);
}

/** Whether a chain runs inside the call that began it, or each hop is a step or turn of its own, which may wait. */
type Chaining = "inside one call" | "as steps";

const aiSdk = (chaining: Chaining): Framework => ({
  name: `the AI SDK, ${chaining}`,
  async ask(host, { turns, pipe, guard }) {
    const script = scriptModel(
      majorNamed("ai 7"),
      ...turns.map((turn) =>
        typeof turn === "string"
          ? [turn]
          : turn.map(({ tool, arguments: input }) => ({ tool, input })),
      ),
    );
    const { model } = script;
    const shown: string[] = [];
    const onHop = ({ hop }: { readonly hop: Hop }) => void shown.push(...verbatim(hop));
    const pipes = pipe ? createPipeTool(host) : {};
    const options = { conversation: "c1", onHop };
    const tools = { ...createTools(host, options), ...pipes };
    const chained =
      chaining === "as steps"
        ? withChaining(host, { model, tools: pipes, chaining: options })
        : { model, tools, stopWhen: stepCountIs(9) };
    const settings = guard ? withSingleStep(host, { model, singleStep: guard }) : chained;
    const go = async (messages: ModelMessage[]): Promise<Run> => {
      const result = await generateText({ ...settings, messages } as Parameters<
        typeof generateText
      >[0]);
      const asked = result.content.filter((part) => part.type === "tool-approval-request");
      const outputs = result.steps.flatMap(({ toolResults }) => toolResults);
      return {
        read: script.prompts.map((prompt) => JSON.stringify(prompt)),
        answer: result.text,
        shown,
        pipes: outputs
          .filter(({ toolName }) => toolName === "mcp_pipe")
          .map(({ output }) => output as JsonObject),
        waiting: asked.map(({ toolCall: { toolName: tool, input } }) => ({
          tool,
          arguments: input as JsonObject,
        })),
        decide: (approved) =>
          go([
            ...messages,
            ...result.responseMessages,
            {
              role: "tool",
              content: asked.map(({ approvalId }) => {
                return { type: "tool-approval-response", approvalId, approved } as const;
              }),
            },
          ]),
      };
    };
    return go([{ role: "user", content: "please" }]);
  },
});

interface Waiting {
  readonly value: { readonly actionRequests: readonly { name: string; args: JsonObject }[] };
}

const langgraph = (chaining: Chaining): Framework => ({
  name: `LangGraph, ${chaining}`,
  async ask(host, { turns, pipe, guard }) {
    let calls = 0;
    const model = new ScriptedModel(
      ...turns.map((turn) =>
        typeof turn === "string"
          ? turn
          : turn.map((call) => calling(call.tool, { ...call.arguments }, `call-${++calls}`)),
      ),
    );
    const shown: string[] = [];
    const onHop = ({ hop }: { readonly hop: Hop }) => void shown.push(...verbatim(hop));
    const agent = createAgent({
      model,
      tools: [...createToolList(host, { onHop }), ...(pipe ? createPipeTools(host) : [])],
      middleware: [
        ...(guard ? [singleStepMiddleware(host, guard)] : []),
        ...(!guard && chaining === "as steps" ? [chainMiddleware(host, { onHop })] : []),
      ],
      checkpointer: new MemorySaver(),
    });
    const go = async (input: object): Promise<Run> => {
      const config = { configurable: { thread_id: "c1" } };
      const state: object = await agent.invoke(input as never, config);
      const { messages, __interrupt__: waiting = [] } = state as {
        readonly messages: readonly BaseMessage[];
        readonly __interrupt__?: readonly Waiting[];
      };
      const requests = waiting.flatMap(({ value }) => value.actionRequests);
      const results = messages.filter((message) => ToolMessage.isInstance(message));
      return {
        read: model.read.map((read) => JSON.stringify(read.map(toText))),
        answer: messages.at(-1)?.text ?? "",
        shown,
        pipes: results
          .filter(({ name }) => name === "mcp_pipe")
          .map(({ artifact }) => artifact as JsonObject),
        waiting: requests.map(({ name: tool, args }) => ({ tool, arguments: args })),
        decide(isApproved) {
          const type = isApproved ? "approve" : "reject";
          return go(new Command({ resume: { decisions: requests.map(() => ({ type })) } }));
        },
      };
    };
    return go({ messages: [{ role: "user", content: "please" }] });
  },
});

/** What a provider gets of a message: the artifact is for the application. */
function toText(message: BaseMessage) {
  const { type, content } = message;
  return { type, content, calls: "tool_calls" in message ? message.tool_calls : [] };
}

/** Both frameworks, each hop a step or a turn. */
export const frameworks: readonly Framework[] = [aiSdk("as steps"), langgraph("as steps")];

/** Both frameworks with the plain tools of `createTools` too, whose chains run inside one call. */
export const everyWay: readonly Framework[] = [
  ...frameworks,
  aiSdk("inside one call"),
  langgraph("inside one call"),
];
