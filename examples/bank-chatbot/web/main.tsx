import { createRoot } from "react-dom/client";
import type { Mode } from "../src/conversation/conversation-view.ts";
import { Composer } from "./composer.tsx";
import { useConversation } from "./conversation.ts";
import { Messages } from "./messages.tsx";
import { GuardList, Meter } from "./side.tsx";

const ICON = new URL("./icon.svg", import.meta.url).href;
const MODES = [
  ["ai-sdk", "AI SDK"],
  ["langgraph", "LangGraph"],
  ["guard", "Guard mode"],
] as const;

function App() {
  const { id, conversation, isLost, start, act } = useConversation();
  return (
    <>
      <Header mode={conversation?.mode} onStart={start} />
      {isLost && (
        <p role="alert">
          The page cannot reach its server. What you asked for may have been done all the same.
        </p>
      )}
      {conversation && (
        <div className="page">
          <main className="card" aria-label="Conversation">
            <Messages {...{ id, conversation, act }} />
            <Composer key={id} {...{ id, conversation, act }} />
          </main>
          <aside aria-label="What this conversation costs">
            {conversation.mayCall && <GuardList mayCall={conversation.mayCall} />}
            <Meter {...{ id, conversation, act }} />
          </aside>
        </div>
      )}
    </>
  );
}

function Header({ mode, onStart }: { mode: Mode | undefined; onStart(mode: Mode): void }) {
  return (
    <header className="row">
      <img src={ICON} alt="" width="32" />
      <h1>Demo Bank</h1>
      <button type="button" disabled={!mode} onClick={() => mode && onStart(mode)}>
        Start over
      </button>
      <fieldset className="modes">
        <legend className="visually-hidden">Answered by</legend>
        {MODES.map(([one, name]) => (
          <label key={one}>
            <input type="radio" name="mode" checked={one === mode} onChange={() => onStart(one)} />
            {name}
          </label>
        ))}
      </fieldset>
    </header>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
