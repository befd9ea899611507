import { expect, test } from "vitest";
import { isConnectionFault } from "./connection-fault.ts";

test("a connection that breaks is no fault of the program, also where the router has wrapped what the browser said", () => {
  expect(isConnectionFault(new TypeError("Failed to fetch"))).toBe(true);
  expect(isConnectionFault(new TypeError("NetworkError when attempting to fetch resource."))).toBe(true);
  const cause = new TypeError("network error");
  expect(isConnectionFault(new Error("Unable to decode turbo-stream response", { cause }))).toBe(true);
  expect(isConnectionFault(new DOMException("signal is aborted without reason", "AbortError"))).toBe(true);
});

test("an answer that cannot be understood is one, and so is any other error", () => {
  const cause = new SyntaxError("Unexpected token");
  expect(isConnectionFault(new Error("Unable to decode turbo-stream response", { cause }))).toBe(false);
  expect(isConnectionFault(new TypeError("Cannot read properties of undefined"))).toBe(false);
  expect(isConnectionFault("Failed to fetch")).toBe(false);
});
