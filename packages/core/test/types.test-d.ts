import type { createMCPClient as createAiSdkClient } from "@ai-sdk/mcp";
import type { createMCPClient as createAiSdk6Client } from "@ai-sdk/mcp6";
import type {
  AuthProvider,
  Client as ClientV2,
  OAuthClientProvider as OAuthV2,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider as OAuthV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { JsonSchemaValidator } from "@toolrail/core/json";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { type AuthProviderLike, fromConfig, http, stdio } from "../src/connect/index.ts";
import { createHost, type Host, type HostOptions, type Server } from "../src/index.ts";

describe("a server", () => {
  it("A server is any of the four clients, alone or with options.", () => {
    expectTypeOf<ClientV1>().toExtend<Server>();
    expectTypeOf<ClientV2>().toExtend<Server>();
    expectTypeOf<Awaited<ReturnType<typeof createAiSdkClient>>>().toExtend<Server>();
    expectTypeOf<Awaited<ReturnType<typeof createAiSdk6Client>>>().toExtend<Server>();
    expectTypeOf<{ client: ClientV1; shared: true }>().toExtend<Server>();
  });

  it("A server is an address, a command, or one of a configuration.", () => {
    const config = { mcpServers: { files: { command: "npx", type: "stdio" as string } } };
    const { files } = fromConfig(config);
    expectTypeOf({ crm: http("https://crm.example"), own: stdio("own"), files }).toExtend<
      Partial<HostOptions["servers"]>
    >();
    expectTypeOf(fromConfig(config)).toExtend<HostOptions["servers"]>();
    expectTypeOf<OAuthV1 | OAuthV2 | AuthProvider>().toExtend<AuthProviderLike>();
    expectTypeOf<{ token: string }>().not.toExtend<AuthProviderLike>();
  });

  it("A text or an object that only closes is no server.", () => {
    expectTypeOf<string>().not.toExtend<Server>();
    expectTypeOf<{ close(): Promise<void> }>().not.toExtend<Server>();
  });
});

describe("host.call", () => {
  const open = (client: ClientV1) =>
    createHost({
      servers: { bank: client },
      schemas: { "bank.get_balance": z.object({ balance: z.string().transform(Number) }) },
    });
  type Opened = Awaited<ReturnType<typeof open>>;

  it("A call gives the value of a registered parser, as the parser makes it.", () => {
    const call = (host: Opened) => host.call({ tool: "bank.get_balance" });
    type Output = Awaited<ReturnType<typeof call>>["output"];
    type Value = Extract<Output, { status: "valid" }>["value"];
    expectTypeOf<Value>().toEqualTypeOf<{ balance: number }>();
  });

  it("A call of any other tool gives an unknown value.", () => {
    const call = (host: Opened) => host.call({ tool: "bank.pay" as string });
    type Output = Awaited<ReturnType<typeof call>>["output"];
    expectTypeOf<Extract<Output, { status: "valid" }>["value"]>().toBeUnknown();
  });

  it("A typed host is a host.", () => {
    expectTypeOf<Opened>().toExtend<Host>();
  });
});

describe("a validator", () => {
  it("A validator may be one that was written for the SDKs.", () => {
    expectTypeOf<jsonSchemaValidator>().toExtend<JsonSchemaValidator>();
  });
});
