import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";
import { toRefusedPage } from "./refused-page.ts";

type Results = Record<string, DataStrategyResult>;

const listeners = new Set<(message: string) => void>();

/** Tells of each form that was refused because a role does not allow it. Returns the function that ends it. */
export function onRefusedForm(listener: (message: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Takes refusals out of what a form was answered, and tells of them: the page that it was sent from stays. */
export function keepPageOfRefusedForm(results: Results): Results {
  return Object.fromEntries(
    Object.entries(results).map(([routeId, each]): [string, DataStrategyResult] => {
      const error = each.type === "error" ? each.result : null;
      if (!isRouteErrorResponse(error) || error.status !== 403) return [routeId, each];
      const message = toRefusedPage(error)?.message ?? (typeof error.data === "string" ? error.data : "");
      for (const tell of listeners) tell(message || "Your role does not allow this.");
      return [routeId, { type: "data", result: data(undefined, { status: 403 }) }];
    }),
  );
}
