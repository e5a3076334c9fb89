import type { AppView, Mode, ThreadView } from "../src/web-server/protocol.ts";
import { stopTurn } from "./api.ts";
import { Composer } from "./composer.tsx";
import { HandoffBar } from "./handoff-bar.tsx";
import { MessageLog } from "./message-log.tsx";
import { Meter } from "./meter.tsx";
import { Trace } from "./trace.tsx";
import { useConversation } from "./use-conversation.ts";

interface ConversationPageProps {
  readonly app: AppView;
  readonly thread: ThreadView;
  onStart(mode: Mode): void;
}

export function ConversationPage({ app, thread, onStart }: ConversationPageProps) {
  const conversation = useConversation(thread);
  const { messages, status, isBusy, act } = conversation;
  return (
    <div className="page">
      <main className="chat" aria-label="Conversation">
        <MessageLog conversation={conversation} />
        <div className="foot">
          {status.handoff && (
            <HandoffBar
              text={status.handoff.text}
              isBusy={isBusy}
              onTakeBack={() => act("Back to the assistant", { type: "take-back" })}
            />
          )}
          <Composer
            key={thread.id}
            hint={app.hint}
            isBusy={isBusy}
            isEnded={status.ended === true}
            suggests={messages.filter(({ role }) => role === "user").length < 2}
            canAsk={status.tools.includes("list_accounts")}
            onSend={(text) => act(text, { type: "text", text })}
            onStop={() => void stopTurn(thread.id).catch(() => {})}
            onRestart={() => onStart(thread.mode)}
          />
        </div>
      </main>
      <aside className="side" aria-label="What this conversation costs">
        <Meter
          mode={thread.mode}
          app={app}
          threadId={thread.id}
          status={status}
          messages={messages}
        />
        <Trace messages={messages} />
      </aside>
    </div>
  );
}
