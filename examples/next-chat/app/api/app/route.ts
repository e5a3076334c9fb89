import type { Decision } from "@toolrail/core";
import { type AppRef, createAppCalls } from "@toolrail/plugins/apps";
import { getHost } from "../../../lib/host";

/**
 * A request of the page for one of its apps: the page to show, a call of the app, or a call that the user has decided about.
 */
export type AppMessage = { readonly app: AppRef; readonly conversation: string } & (
  | { readonly type: "view" }
  | { readonly type: "answer"; readonly request: unknown }
  | { readonly type: "decide"; readonly id: string; readonly decision: Decision }
);

export async function POST(request: Request): Promise<Response> {
  // An app that could send this itself would approve its own calls.
  if (request.headers.get("sec-fetch-site") !== "same-origin") {
    return new Response("Only this page may ask for its apps.", { status: 403 });
  }
  const message = (await request.json()) as AppMessage;
  const { app, conversation } = message; // If users sign in: check that the conversation is theirs.
  const calls = createAppCalls(await getHost(), { ...app, conversation });
  const { signal } = request;
  switch (message.type) {
    case "view":
      return Response.json(await calls.view({ signal }));
    case "answer":
      return Response.json(await calls.answer(message.request, { signal }));
    case "decide":
      return Response.json(await calls.decide(message.id, message.decision, { signal }));
  }
}
