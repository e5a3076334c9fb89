import { getRun, start } from "workflow/api";
import { serve, workflows } from "./local-world.mjs";

const { takeOrder } = workflows["workflows/take-order.mjs"];

serve({
  "POST /orders": async (request) => {
    const { order } = await request.json();
    return Response.json({ runId: (await start(takeOrder, [order])).runId });
  },
  "POST /results": async (request) => {
    const { runId } = await request.json();
    return Response.json(await getRun(runId).returnValue);
  },
});
