import { Fragment } from "react";
import type { BankMessage } from "../src/web-server/protocol.ts";
import { Approval } from "./approval.tsx";
import { Control } from "./control.tsx";
import { Notice } from "./notice.tsx";
import { Shown } from "./shown.tsx";
import { Steps } from "./steps.tsx";
import type { Conversation } from "./use-conversation.ts";

interface AnswerPartsProps {
  readonly message: BankMessage;
  readonly conversation: Conversation;
}

/** One answer: its steps, then what is for the customer, in the order it came. */
export function AnswerParts({ message, conversation }: AnswerPartsProps) {
  const { updates, isBusy, act } = conversation;
  return (
    <>
      <Steps parts={message.parts} />
      {message.parts.map((part, index) => {
        const key = "id" in part && part.id ? part.id : `${message.id}-${index}`;
        const id = "id" in part && part.id ? part.id : "";
        switch (part.type) {
          case "text":
            return part.text ? (
              <p key={key} className="words">
                {part.text}
              </p>
            ) : null;
          case "data-shown":
            return <Shown key={key} blocks={part.data.blocks} />;
          case "data-control":
            return (
              <Control
                key={key}
                view={updates.controls[id] ?? part.data}
                isBusy={isBusy}
                onAnswer={(value, label) => act(label, { type: "control", id, value })}
              />
            );
          case "data-approval":
            return (
              <Approval
                key={key}
                view={updates.approvals[id] ?? part.data}
                isBusy={isBusy}
                onDecide={(approved) =>
                  act(approved ? "Approve" : "Decline", { type: "approval", id, approved })
                }
              />
            );
          case "data-notice":
            return (
              <Notice
                key={key}
                view={part.data}
                isBusy={isBusy}
                onRetry={(text) => act(text, { type: "text", text })}
              />
            );
          default:
            return <Fragment key={key} />;
        }
      })}
    </>
  );
}
