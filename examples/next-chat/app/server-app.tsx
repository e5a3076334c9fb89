"use client";

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { PendingCall } from "@toolrail/core";
import { useEffect, useRef, useState } from "react";
import { askHost, readView } from "../lib/ask-host";
import type { AppData } from "../lib/chat-message";
import { Approval, type Question } from "./approval";

/** Returns the address of `sandbox.html`, at another origin than the page's. In production, use a separate domain. */
function sandboxUrl(): string {
  const { protocol, hostname, port } = window.location;
  const other = hostname === "localhost" ? "127.0.0.1" : "localhost";
  const origin = process.env.NEXT_PUBLIC_SANDBOX_ORIGIN ?? `${protocol}//${other}:${port}`;
  return `${origin}/sandbox.html`;
}

const FRAME = {
  border: "1px solid #94a3b8",
  borderRadius: "0.5rem",
  boxSizing: "border-box",
  width: "100%",
} as const;

/** Shows an app of a server in a frame. The host answers its calls, and the user is asked about them outside of the frame. */
export function ServerApp({ data, conversation }: { data: AppData; conversation: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [{ app, arguments: args, result }] = useState(data); // A message is copied with each piece of its stream.
  const [questions, setQuestions] = useState<readonly Question[]>([]);

  useEffect(() => {
    const element = frame.current;
    if (!element?.contentWindow) return undefined;
    const shown = { app, conversation };
    const ask = (pending: PendingCall) =>
      new Promise<boolean>((resolve) => {
        const question = {
          pending,
          onAnswer(approved: boolean) {
            setQuestions((open) => open.filter((one) => one !== question));
            resolve(approved);
          },
        };
        setQuestions((open) => [...open, question]);
      });
    const bridge = new AppBridge(
      null,
      { name: "next-chat", version: "0.0.0" },
      { serverTools: {}, serverResources: {} },
    );
    bridge.oncalltool = (params, { mcpReq: { signal } }) =>
      askHost(shown, { method: "tools/call", params, signal, ask });
    bridge.onreadresource = (params, { mcpReq: { signal } }) =>
      askHost(shown, { method: "resources/read", params, signal, ask });
    bridge.addEventListener("sandboxready", async () => {
      const { html } = await readView(shown);
      await bridge.sendSandboxResourceReady({ html });
    });
    bridge.addEventListener("initialized", async () => {
      await bridge.sendToolInput({ arguments: args });
      await bridge.sendToolResult(result as Parameters<AppBridge["sendToolResult"]>[0]);
    });
    bridge.addEventListener("sizechange", ({ height }) => {
      if (height !== undefined) element.style.height = `${Math.min(height, 600)}px`;
    });
    const transport = new PostMessageTransport(element.contentWindow, element.contentWindow);
    void bridge.connect(transport).then(() => {
      element.src = sandboxUrl();
    });
    return () => {
      setQuestions([]);
      void bridge.close(); // Aborts the calls that are under way.
    };
  }, [app, args, result, conversation]);

  const [question] = questions; // One at a time, however many the app sends.
  return (
    <section aria-label={`App of ${app.server}`}>
      <iframe
        ref={frame}
        title={`App of ${app.server}`}
        sandbox="allow-scripts allow-same-origin"
        style={FRAME}
      />
      {question && <Approval key={question.pending.binding} question={question} />}
    </section>
  );
}
