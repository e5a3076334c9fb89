// A service that takes orders back, each in a workflow.
import { getHookByToken, getRun, resumeHook, start } from "workflow/api";
import { serve, workflows } from "./local-world.mjs";

const { returnOrder } = workflows["workflows/return-order.ts"];
const { returnAgent } = workflows["workflows/return-agent.ts"];

serve({
  /** Starts the return of an order: `{ order }`, or `{ order, by: "agent" }`. */
  "POST /returns": async (request) => {
    const { order, by } = await request.json();
    const { runId } = await start(by === "agent" ? returnAgent : returnOrder, [order]);
    return Response.json({ runId });
  },
  /** Returns the call that waits for a person: `{ token }`. */
  "POST /questions": async (request) => {
    const { token } = await request.json();
    const { metadata } = await getHookByToken(token);
    return Response.json(await metadata);
  },
  /** Takes a person's decision about a waiting call: `{ token, decision }`. Allow this request only to those who may decide. */
  "POST /decisions": async (request) => {
    const { token, decision } = await request.json();
    await resumeHook(token, decision);
    return Response.json({});
  },
  /** Waits for the end of a return: `{ runId }`. */
  "POST /results": async (request) => {
    const { runId } = await request.json();
    return Response.json(await getRun(runId).returnValue);
  },
});
