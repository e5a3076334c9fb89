// Runs the workflow on the local world, which keeps its state in files.
import { createServer } from "node:http";
import { getRun, start } from "workflow/api";
import { getWorld } from "workflow/runtime";

const port = Number(process.env.PORT);
const url = `http://127.0.0.1:${port}`;
process.env.WORKFLOW_LOCAL_BASE_URL = url;
// How long a step of a lost process is left alone: 860 seconds by default.
process.env.WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS ??= "2";
const flow = await import("./.well-known/workflow/v1/flow.mjs");
const { default: manifest } = await import("./.well-known/workflow/v1/manifest.json", {
  with: { type: "json" },
});
const { takeOrder } = manifest.workflows["workflows/take-order.mjs"];
const routes = {
  "POST /.well-known/workflow/v1/flow": (request) => flow.POST(request),
  "POST /orders": async (request) => {
    const { order } = await request.json();
    return Response.json({ runId: (await start(takeOrder, [order])).runId });
  },
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
