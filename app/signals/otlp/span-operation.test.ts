import { expect, test } from "vitest";
import { toOperation } from "./span-operation.ts";

test.each([
  ["server", { "http.request.method": "GET" }, "http.server"],
  ["client", { "http.method": "GET" }, "http.client"],
  ["client", { "db.system": "mysql" }, "db"],
  ["client", { "rpc.system": "grpc" }, "rpc"],
  ["producer", { "messaging.system": "kafka" }, "queue.publish"],
  ["client", { "gen_ai.operation.name": "chat" }, "gen_ai.chat"],
  ["internal", { "gen_ai.operation.name": "execute_tool" }, "gen_ai.execute_tool"],
  ["internal", { "gen_ai.operation.name": 7 }, null],
])("a span of kind %s with %o is %s", (kind, attributes, operation) => {
  expect(toOperation(attributes, kind)).toBe(operation);
});
