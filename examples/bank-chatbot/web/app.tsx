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
  const startOrFail = (mode: AppView["modes"][number]) => {
    start(mode).catch(() => setFailed(true));
  };
  return (
    <>
      <a className="skip-link" href="#message">
        Skip to the message field
      </a>
      <Header app={app} mode={thread?.mode} onStart={startOrFail} />
      {(failed || error) && (
        <p className="banner" role="alert">
          The bank's page cannot reach its server. Please reload it in a moment.
        </p>
      )}
      {app && thread ? (
        <ConversationPage key={thread.id} app={app} thread={thread} onStart={startOrFail} />
      ) : (
        <p className="loading">One moment…</p>
      )}
    </>
  );
}
