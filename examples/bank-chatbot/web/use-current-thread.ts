import { useCallback, useEffect, useRef, useState } from "react";
import type { Mode, ThreadView } from "../src/web-server/protocol.ts";
import { createThread, findThread } from "./api.ts";

export interface CurrentThread {
  readonly thread: ThreadView | undefined;
  readonly error: boolean;
  /** Starts a new conversation; the one before stays where the back button finds it. */
  start(mode: Mode): Promise<void>;
}

/** The conversation of the address bar: it survives a reload, and the back button. */
export function useCurrentThread(firstMode: Mode | undefined): CurrentThread {
  const [thread, setThread] = useState<ThreadView>();
  const [error, setError] = useState(false);

  const newest = useRef(0);
  /** What was asked for last is shown, in whatever order the answers come. */
  const show = useCallback(async (id: string) => {
    newest.current += 1;
    const mine = newest.current;
    const found = await findThread(id);
    if (found && mine === newest.current) setThread(found);
    return found !== undefined;
  }, []);

  const start = useCallback(
    async (mode: Mode, replace = false) => {
      const { id } = await createThread(mode);
      if (replace) history.replaceState(null, "", `/t/${id}`);
      else history.pushState(null, "", `/t/${id}`);
      await show(id);
    },
    [show],
  );

  useEffect(() => {
    if (!firstMode) return;
    const load = async () => {
      const id = idOfAddress();
      const isShown = id !== undefined && (await show(id));
      if (!isShown) await start(firstMode, true);
    };
    const reload = () => void load().catch(() => setError(true));
    reload();
    addEventListener("popstate", reload);
    return () => removeEventListener("popstate", reload);
  }, [firstMode, show, start]);

  return { thread, error, start };
}

function idOfAddress(): string | undefined {
  return location.pathname.match(/^\/t\/([\w-]+)$/)?.[1];
}
