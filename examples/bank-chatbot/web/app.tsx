import { useEffect, useState } from "react";
import type { AppView } from "../src/web-server/protocol.ts";
import { getApp } from "./api.ts";
import { ConversationPage } from "./conversation-page.tsx";
import { Header } from "./header.tsx";
import { useCurrentThread } from "./use-current-thread.ts";

export function App() {
  const [app, setApp] = useState<AppView>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    getApp().then(setApp, () => setFailed(true));
  }, []);
  const { thread, error, start } = useCurrentThread(app?.modes[0]);
  const isLost = failed || error;
  const startOrFail = (mode: AppView["modes"][number]) => {
    start(mode).catch(() => setFailed(true));
  };
  return (
    <>
      {thread && (
        <a className="skip-link" href="#message">
          Skip to the message field
        </a>
      )}
      <Header app={app} mode={thread?.mode} onStart={startOrFail} />
      {isLost && (
        <div className="banner notice problem" role="alert">
          <p>The bank's page cannot reach its server.</p>
          <button type="button" className="button" onClick={() => location.reload()}>
            Try again
          </button>
        </div>
      )}
      {app && thread ? (
        <ConversationPage key={thread.id} app={app} thread={thread} onStart={startOrFail} />
      ) : (
        <main className="loading">{!isLost && "One moment…"}</main>
      )}
    </>
  );
}
