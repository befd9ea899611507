// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { ignoreEndedRequests } from "./ignore-ended-requests.ts";

ignoreEndedRequests();

function reject(reason: unknown): { wasPrevented: boolean; wasReported: boolean } {
  const report = vi.fn();
  window.addEventListener("unhandledrejection", report);
  const event = Object.assign(new Event("unhandledrejection", { cancelable: true }), { reason });
  window.dispatchEvent(event);
  window.removeEventListener("unhandledrejection", report);
  return { wasPrevented: event.defaultPrevented, wasReported: report.mock.calls.length > 0 };
}

test("a request that the router ended is no error", () => {
  expect(reject(new DOMException("signal is aborted without reason", "AbortError"))).toEqual({
    wasPrevented: true,
    wasReported: false,
  });
});

test.for([new Error("broken"), new DOMException("too long", "TimeoutError"), "AbortError", null])(
  "%s is one",
  (reason) => {
    expect(reject(reason)).toEqual({ wasPrevented: false, wasReported: true });
  },
);
