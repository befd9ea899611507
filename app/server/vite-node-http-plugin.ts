import * as http from "node:http";
import type { Plugin } from "vite";

const ID = "\0node-http";

/** Reading these exports loads all of `fetch`, which takes 40 ms of processor time. */
const OF_FETCH = new Set(["CloseEvent", "MessageEvent", "WebSocket"]);

/**
 * An import of `node:http` makes Node read each of its exports, including those of `fetch`. The built code takes the module object instead:
 * the first event is accepted before `fetch` is loaded.
 */
export function nodeHttpPlugin(): Plugin {
  return {
    name: "node-http",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "ssr",
    resolveId: (source) => (source === "node:http" || source === "http" ? ID : null),
    load(id) {
      if (id !== ID) return null;
      const names = Object.keys(http).filter((name) => name !== "default" && !OF_FETCH.has(name));
      return `const http = process.getBuiltinModule("node:http");
export default http;
export const { ${names.join(", ")} } = http;`;
    },
  };
}
