import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, APPROVAL_SECRET } = process.env;

/** Any OpenAI-compatible endpoint. */
export const model = createOpenAICompatible({
  name: "chat",
  baseURL: OPENAI_BASE_URL ?? "https://api.openai.com/v1",
  ...(OPENAI_API_KEY !== undefined && { apiKey: OPENAI_API_KEY }),
}).chatModel(OPENAI_MODEL ?? "gpt-5-mini");

/** Signs what users are asked: at least 32 random characters, the same in all processes. */
export function approvalSecret(): string {
  if (!APPROVAL_SECRET)
    throw new Error("Set APPROVAL_SECRET: without it a browser can forge approvals.");
  return APPROVAL_SECRET;
}
