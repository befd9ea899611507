import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";
import { toRefusedPage } from "./refused-page.ts";

type Results = Record<string, DataStrategyResult>;

/** Not allowed; or not now, because somebody else was quicker, something is still running, or the disk is full. */
const LEAVES_PAGE: ReadonlySet<number> = new Set([403, 409, 507]);

const listeners = new Set<(message: string) => void>();

/** Tells of each form that was refused. Returns the function that ends it. */
export function onRefusedForm(listener: (message: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Takes refusals out of what a form was answered, and tells of them: the page that it was sent from stays. */
export function keepPageOfRefusedForm(results: Results): Results {
  return Object.fromEntries(
    Object.entries(results).map(([routeId, each]): [string, DataStrategyResult] => {
      const error = each.type === "error" ? each.result : null;
      if (!isRouteErrorResponse(error) || !LEAVES_PAGE.has(error.status)) return [routeId, each];
      const message = toRefusedPage(error)?.message ?? (typeof error.data === "string" ? error.data : "");
      for (const tell of listeners) tell(message || "This was refused.");
      return [routeId, { type: "data", result: data(undefined, { status: error.status }) }];
    }),
  );
}
