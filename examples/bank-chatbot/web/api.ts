import type { AppView, Mode, RelayMeasure, ThreadView } from "../src/web-server/protocol.ts";

export const getApp = (): Promise<AppView> => request("/api/app");

export const createThread = (mode: Mode): Promise<{ readonly id: string }> =>
  request("/api/threads", { mode });

/** Undefined where the server knows no such conversation. */
export async function findThread(id: string): Promise<ThreadView | undefined> {
  const response = await fetch(`/api/threads/${id}`);
  if (response.status === 404) return undefined;
  return readJson(response);
}

export const stopTurn = (id: string): Promise<object> => request(`/api/threads/${id}/stop`, {});

export const measureRelay = (id: string): Promise<RelayMeasure> =>
  request(`/api/threads/${id}/relay`, {});

async function request<T>(path: string, body?: object): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const response = await fetch(path, body && { ...post, body: JSON.stringify(body) });
  return readJson(response);
}

async function readJson<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as T;
}
