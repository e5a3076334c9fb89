import type { ChainOutcome, ModelPart } from "@toolrail/conformance";

interface Output {
  readonly type: string;
  readonly value: unknown;
}

/** What a prompt of the AI SDK says about tools, in the words of the harness. */
export function readToolResults(prompt: unknown): Pick<ChainOutcome, "modelRead" | "isError"> {
  const messages = (prompt ?? []) as { role: string; content: { output?: Output }[] }[];
  const outputs = messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.flatMap(({ output }) => output ?? []));
  return {
    modelRead: outputs.flatMap(toParts),
    isError: outputs.at(-1)?.type.startsWith("error") ?? false,
  };
}

function toParts({ type, value }: Output): ModelPart[] {
  if (type !== "content") return [{ type: "text", text: String(value) }];
  return (value as { type: string; text?: string; mediaType?: string }[]).map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text ?? "" }
      : { type: "media", mediaType: part.mediaType ?? part.type },
  );
}
