import { isRouteErrorResponse } from "react-router";
import { findMonitoring } from "./monitoring.server.ts";

/** Reports a fault of a page request, unless it is an answer that a person was meant to get (404, 403, wrong input). */
export function reportFault(fault: unknown, mechanismType: string): void {
  if (isExpected(fault)) return;
  findMonitoring()?.capture(fault, mechanismType);
}

export function isExpected(fault: unknown): boolean {
  return (isRouteErrorResponse(fault) || fault instanceof Response) && fault.status < 500;
}

/** For a promise that a loader gives away unfinished: nothing else would report that it failed. */
export function deferred<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch((fault: unknown) => reportFault(fault, "react_router.deferred"));
  return promise;
}
