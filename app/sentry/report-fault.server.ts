import { isRouteErrorResponse } from "react-router";
import { sayRefusedByDisk } from "../domain/full-disk.ts";
import { findReadLimit } from "../domain/read-limit.ts";
import { requireLog } from "../log.server.ts";
import { hideSecretPaths } from "./hide-secret-paths.ts";
import { findMonitoring } from "./monitoring.server.ts";

const reported = new WeakSet<object>();

/**
 * Logs and reports a fault of a request once: one in the shell of a page comes from the rendering and from the router. Says
 * nothing of an answer meant for a person (404, 403, wrong input), nor of what failed because the client left.
 */
export function reportRequestFault(fault: unknown, request: Request, mechanismType: string): void {
  if (request.signal.aborted || isExpected(fault)) return;
  if (typeof fault === "object" && fault !== null) {
    if (reported.has(fault)) return;
    reported.add(fault);
  }
  requireLog().error({ err: fault, method: request.method, url: hideSecretPaths(request.url) }, "a request failed");
  reportFault(fault, mechanismType);
}

/** Reports a fault of a page request, unless it is an answer that a person was meant to get (404, 403, wrong input). */
function reportFault(fault: unknown, mechanismType: string): void {
  if (isExpected(fault)) return;
  findMonitoring()?.capture(fault, mechanismType);
}

function isExpected(fault: unknown): boolean {
  // A promise that a loader gives away unfinished brings it here as it is.
  if (findReadLimit(fault) !== null || sayRefusedByDisk(fault) !== null) return true;
  return (isRouteErrorResponse(fault) || fault instanceof Response) && fault.status < 500;
}
