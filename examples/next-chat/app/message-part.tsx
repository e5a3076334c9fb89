import { isToolOutput, type ToolOutput } from "@toolrail/ai-sdk/page";
import type { ChatMessage } from "../lib/chat-message";
import { Order } from "../lib/tools";

interface MessagePartProps {
  readonly part: ChatMessage["parts"][number];
  /** A person's answer to the approval with this id. */
  readonly onAnswer: (approval: string, approved: boolean) => void;
  readonly onPick: (size: string) => void;
}

function Problem({ output }: { readonly output: ToolOutput }) {
  return <p role="alert">{output.error?.message ?? "The tool reported an error."}</p>;
}

function FoundOrder({ output }: { readonly output: ToolOutput }) {
  const { order, total } = Order.parse(JSON.parse(output.content[0]?.text ?? ""));
  return (
    <p>
      Order {order}: {total.toFixed(2)} in all
    </p>
  );
}

export function MessagePart({ part, onAnswer, onPick }: MessagePartProps) {
  switch (part.type) {
    case "text":
      return <p>{part.text}</p>;
    case "data-user-content": // Content that no model reads, word for word.
      return <blockquote>{part.data.content.map(({ text }) => text).join("\n")}</blockquote>;
    case "data-widget":
      return (
        <fieldset>
          <legend>Which size?</legend>
          {part.data.sizes.map((size) => (
            <button key={size} type="button" onClick={() => onPick(size)}>
              {size}
            </button>
          ))}
        </fieldset>
      );
    case "dynamic-tool":
      if (part.state === "approval-requested") {
        const { id } = part.approval;
        return (
          <p>
            {part.toolName} with {JSON.stringify(part.input)}?{" "}
            <button type="button" onClick={() => onAnswer(id, true)}>
              Approve
            </button>
            <button type="button" onClick={() => onAnswer(id, false)}>
              Refuse
            </button>
          </p>
        );
      }
      if (part.state !== "output-available" || !isToolOutput(part.output)) return null;
      // A tool that failed is `output-available` as well.
      if (part.output.isError) return <Problem output={part.output} />;
      if (part.toolName === "find_order") return <FoundOrder output={part.output} />;
      return <small>{part.toolName} is done.</small>;
    default:
      return null;
  }
}
