import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { makeToken } from "./make-token.ts";
import { type CheckingProxy, startCheckingProxy } from "./start-checking-proxy.ts";
import { startServer, type TestServer } from "./start-server.ts";

/** What tests of a tool run against. */
export interface CheckedServer {
  readonly server: TestServer;
  /** Where the tool is sent: it holds each answer against the API's document. */
  readonly proxy: CheckingProxy;
  /** For the tool; of an organization, it carries the proxy's address. */
  readonly token: string;
}

/**
 * Starts a server for the tests of the file that calls this, and stops it after them. A test fails when the web API answered
 * it with anything but what its document says. Nothing is there before the tests run.
 */
export function provideCheckedServer(asked: Parameters<typeof makeToken>[1]): CheckedServer {
  let started: CheckedServer | undefined;
  beforeAll(async () => {
    const server = await startServer();
    const proxy = await startCheckingProxy(server);
    started = { server, proxy, token: await makeToken({ ...server, url: proxy.url }, asked) };
  });
  afterEach(() => {
    expect(started?.proxy.contradictions).toEqual([]);
  });
  afterAll(async () => {
    await started?.proxy[Symbol.asyncDispose]();
    await started?.server.stop();
  });
  const running = (): CheckedServer => {
    if (!started) throw new Error("the server is started before the first test, not earlier");
    return started;
  };
  return {
    get server() {
      return running().server;
    },
    get proxy() {
      return running().proxy;
    },
    get token() {
      return running().token;
    },
  };
}
