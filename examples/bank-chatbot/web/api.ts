import type { Mode, TurnInput } from "../src/conversation/conversation-view.ts";
import type { AppView, RelayMeasure } from "../src/web-server/protocol.ts";

export const getApp = (): Promise<AppView> => request("/api");

export const createConversation = (mode: Mode): Promise<{ readonly id: string }> =>
  request("/api", { mode });

export const takeTurn = (id: string, input: TurnInput): Promise<object> =>
  request(`/api/${id}/turns`, input);

export const measureRelay = (id: string): Promise<RelayMeasure> => request(`/api/${id}/relay`, {});

async function request<T>(path: string, body?: object): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const response = await fetch(path, body && { ...post, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as T;
}
