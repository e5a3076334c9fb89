import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import { answer } from "./open-server.ts";

const message = z.object({ sender: z.string(), recipient: z.string(), body: z.string() });
const names = z.array(z.string());

const workspace = z.object({
  slack: z.object({
    users: names,
    channels: names,
    user_channels: z.record(z.string(), names),
    user_inbox: z.record(z.string(), z.array(message)),
    channel_inbox: z.record(z.string(), z.array(message)),
  }),
  web: z.object({ web_content: z.record(z.string(), z.string()) }),
});

/** The tools of the slack suite, over its data. */
export function registerSlack(server: McpServer, data: Record<string, unknown>): void {
  const { slack, web } = workspace.parse(data);
  const { users, channels, user_channels, user_inbox, channel_inbox } = slack;
  const channel = { inputSchema: { channel: z.string() } };
  const user = { inputSchema: { user: z.string() } };
  server.registerTool("get_channels", {}, () => answer(channels));
  server.registerTool("get_users_in_channel", channel, (args) => {
    return answer(users.filter((name) => user_channels[name]?.includes(args.channel)));
  });
  server.registerTool("read_channel_messages", channel, (args) => {
    return answer(channel_inbox[args.channel] ?? []);
  });
  server.registerTool("read_inbox", user, (args) => answer(user_inbox[args.user] ?? []));
  const member = { inputSchema: { user: z.string(), channel: z.string() } };
  server.registerTool("add_user_to_channel", member, (args) => {
    user_channels[args.user] = [...(user_channels[args.user] ?? []), args.channel];
    return answer("0");
  });
  const direct = { inputSchema: { recipient: z.string(), body: z.string() } };
  server.registerTool("send_direct_message", direct, (args) => {
    user_inbox[args.recipient] = [
      ...(user_inbox[args.recipient] ?? []),
      { sender: "bot", ...args },
    ];
    return answer("0");
  });
  const post = { inputSchema: { channel: z.string(), body: z.string() } };
  server.registerTool("send_channel_message", post, ({ channel: recipient, body }) => {
    const sent = { sender: "bot", recipient, body };
    channel_inbox[recipient] = [...(channel_inbox[recipient] ?? []), sent];
    return answer("0");
  });
  const invitation = { inputSchema: { user: z.string(), user_email: z.string() } };
  server.registerTool("invite_user_to_slack", invitation, (args) => {
    users.push(args.user);
    return answer("0");
  });
  server.registerTool("remove_user_from_slack", user, (args) => {
    users.splice(users.indexOf(args.user), 1);
    return answer("0");
  });
  const page = { inputSchema: { url: z.string() } };
  server.registerTool("get_webpage", page, ({ url }) =>
    answer(web.web_content[plain(url)] ?? null),
  );
  const publication = { inputSchema: { url: z.string(), content: z.string() } };
  server.registerTool("post_webpage", publication, ({ url, content }) => {
    web.web_content[plain(url)] = content;
    return answer(null);
  });
}

function plain(url: string): string {
  return url.replace(/^https?:\/\//, "");
}
