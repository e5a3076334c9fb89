import { useEffect, useState } from "react";
import type { TurnInput } from "../src/conversation/conversation-view.ts";
import type { AppView } from "../src/web-server/protocol.ts";
import { getApp, takeTurn } from "./api.ts";
import { Composer } from "./composer.tsx";
import { GuardList } from "./guard-list.tsx";
import { Header } from "./header.tsx";
import { Messages } from "./messages.tsx";
import { Meter } from "./meter.tsx";
import { useConversation } from "./use-conversation.ts";

export function App() {
  const { id, conversation, isLost, start } = useConversation();
  const [app, setApp] = useState<AppView>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    getApp().then(setApp, () => setHasFailed(true));
  }, []);
  function act(input: TurnInput): void {
    takeTurn(id, input).then(
      () => setHasFailed(false),
      () => setHasFailed(true),
    );
  }
  return (
    <>
      <Header mode={conversation?.mode} onStart={start} />
      {(isLost || hasFailed) && (
        <p className="notice" role="alert">
          The page cannot reach its server. What you asked for may have been done all the same.
        </p>
      )}
      {app && conversation && (
        <div className="page">
          <main className="chat" aria-label="Conversation">
            <Messages conversation={conversation} onAct={act} />
            <Composer
              key={id}
              app={app}
              conversation={conversation}
              onSend={(text) => act({ type: "text", text })}
            />
          </main>
          <aside className="side" aria-label="What this conversation costs">
            {conversation.mayCall && <GuardList mayCall={conversation.mayCall} />}
            <Meter id={id} model={app.model} conversation={conversation} />
          </aside>
        </div>
      )}
    </>
  );
}
