// The examples of README.md and docs/llms.txt for the Vercel AI SDK; `code-blocks.test.ts` holds the two together.
import { createTools, type HopResult, llmSteps, withChaining } from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import { createHost, type Host, userView } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { generateText, type LanguageModel, stepCountIs } from "ai";

export async function aChain(url: string, { model, prompt }: Asked) {
  const show = ({ hop }: HopResult) => {
    for (const { text = "" } of userView(hop).verbatim) console.log(text);
  };
  const use = [{ name: "show", onHop: show }];
  const host = await createHost({ servers: { bank: http(url) }, use });
  const tools = createTools(host);
  const { text } = await generateText({ model, prompt, tools, stopWhen: stepCountIs(5) });
  return { host, text };
}

interface Made {
  readonly steps: readonly { readonly toolCalls: readonly { readonly toolName: string }[] }[];
  readonly text: string;
}

export async function eachHopAStep(host: Host, { model, prompt }: Asked): Promise<Made> {
  const settings = withChaining(host, { model, prompt, stopWhen: llmSteps(5) });
  const { steps, text } = await generateText(settings); // each hop is one of the steps
  return { steps, text };
}

export async function aGuard(host: Host, { model, prompt, secret }: Asked & { secret: string }) {
  const settings = withSingleStep(host, {
    model,
    singleStep: { allow: { "bank.get_balance": "allow", "bank.close_account": "ask" } },
    experimental_toolApprovalSecret: secret, // signs what a person is asked
  });
  const { text } = await generateText({ ...settings, prompt });
  return text;
}

interface Asked {
  readonly model: LanguageModel;
  readonly prompt: string;
}
