import { test as base } from "./browser-test.ts";
import { startProxy, type TestProxy } from "./start-proxy.ts";

/** Pages come through a proxy, at which requests are counted, held and refused: there, and not in the browser's cache. */
export const test = base.extend<{ network: TestProxy }>({
  // Before the context, so that it goes after it.
  network: [
    async ({ server }, use) => {
      await using network = await startProxy(server);
      await use(network);
    },
    { scope: "test" },
  ],
  baseURL: async ({ network }, use) => use(network.url),
});
