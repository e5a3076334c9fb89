// Runs workflows on the local world, which keeps its state in files: `.workflow-data`. Whatever ended an earlier process, its
// unfinished runs continue in this one.
import { createServer } from "node:http";
import { getWorld } from "workflow/runtime";

const port = Number(process.env.PORT ?? 3000);
const url = `http://127.0.0.1:${port}`;
process.env.WORKFLOW_LOCAL_BASE_URL = url; // The local world sends the work that is due to this address.
// The number of seconds for which a step of a lost process is left alone, by default 860. One process knows all of its steps.
process.env.WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS ??= "2";
const flow = await import("./.well-known/workflow/v1/flow.mjs");
const { default: manifest } = await import("./.well-known/workflow/v1/manifest.json", {
  with: { type: "json" },
});

/** The built workflows, by the paths of their files. */
export const { workflows } = manifest;

/** Serves routes such as `POST /orders` beside those of the local world, and resumes unfinished runs. */
export function serve(routes) {
  const all = { ...routes, "POST /.well-known/workflow/v1/flow": (request) => flow.POST(request) };
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const route = all[`${method} ${request.url}`] ?? (() => new Response("", { status: 404 }));
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
}
