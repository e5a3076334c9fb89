// A user of the packed packages who writes declarations of what functions of Toolrail return, without naming its type.
import type { SystemMessage } from "@langchain/core/messages";
import * as aiSdk from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import * as aiSdkPipe from "@toolrail/ai-sdk/pipe";
import { createHost, modelView, userView } from "@toolrail/core";
import { answerQuery, createSingleStep } from "@toolrail/core/guard";
import { checkPipe, definePipeTool, runPipe } from "@toolrail/core/pipe";
import { createPostgresStore } from "@toolrail/core/postgres";
import * as langgraph from "@toolrail/langgraph";
import { singleStepMiddleware } from "@toolrail/langgraph/guard";
import * as langgraphPipe from "@toolrail/langgraph/pipe";
import { z } from "zod";

export const schemas = { "bank.check": z.object({ locked: z.boolean() }) };
export const host = await createHost({ servers: {}, schemas });
export const chain = await host.run({ tool: "check" });
export const hop = await host.call({ tool: "bank.check", arguments: {} });
export const views = [modelView(chain), userView(chain)];
export const piped = await runPipe(host, { spec: { steps: [] } });
export const verdict = checkPipe(host, { spec: { steps: [] } });
export const pipeTool = definePipeTool(host);
export const step = createSingleStep(host, { allow: ["bank.check"] });
export const query = step.startQuery();
export const outcome = await step.startQuery().call({ tool: "bank.check" });
export { answerQuery, createPostgresStore };

export const sdkTools = aiSdk.createTools(host);
export const guarded = withSingleStep(host, { model: "some/model" });
export const sdkPipeTool = aiSdkPipe.createPipeTool(host);

export const graphTools = langgraph.createTools(host);
export const chaining = langgraph.chainMiddleware(host);
export const graph = langgraphPipe.compilePipe(host, { spec: { steps: [] } });
export const guard = singleStepMiddleware(host);
export const graphPipeTool = langgraphPipe.createPipeTool(host);
export const agent = async () => ({ messages: [] as SystemMessage[] });
export const node = langgraph.chainNode(host, { agent });
export const chained = langgraph.chainState;
