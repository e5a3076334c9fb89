// A service that runs the workflow on the local world, which keeps its state in files: `.workflow-data`. Started again
// after whatever ended it, it goes on with what was under way.
import { createServer } from "node:http";
import { getHookByToken, getRun, resumeHook, start } from "workflow/api";
import { getWorld } from "workflow/runtime";

const port = Number(process.env.PORT ?? 3000);
const url = `http://127.0.0.1:${port}`;
process.env.WORKFLOW_LOCAL_BASE_URL = url; // Where the local world sends the work that is due.
// How long after its start a step of a lost process is left alone: 860 by default. One process alone knows its own steps.
process.env.WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS ??= "2";
const flow = await import("./.well-known/workflow/v1/flow.mjs");
const { default: manifest } = await import("./.well-known/workflow/v1/manifest.json", {
  with: { type: "json" },
});
const { returnOrder } = manifest.workflows["workflows/return-order.ts"];
const { returnAgent } = manifest.workflows["workflows/return-agent.ts"];

const routes = {
  "POST /.well-known/workflow/v1/flow": (request) => flow.POST(request),
  /** Starts the return of an order: `{ order }`, or `{ order, by: "agent" }`. */
  "POST /returns": async (request) => {
    const { order, by } = await request.json();
    const { runId } = await start(by === "agent" ? returnAgent : returnOrder, [order]);
    return Response.json({ runId });
  },
  /** The call that waits for a person: `{ token }`. */
  "POST /questions": async (request) => {
    const { token } = await request.json();
    const { metadata } = await getHookByToken(token);
    return Response.json(await metadata);
  },
  /** A person's word on a call that waits: `{ token, decision }`. Let only those in here who may say it. */
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
};

const server = createServer(async (request, response) => {
  const { method, headers } = request;
  const route = routes[`${method} ${request.url}`] ?? (() => new Response("", { status: 404 }));
  try {
    const body = method === "POST" ? { body: request, duplex: "half" } : {};
    const answer = await route(new Request(url + request.url, { method, headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(port, "127.0.0.1", async () => {
  await (await getWorld()).start();
  console.log("ready");
});
