import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";
import { toRefusedPage } from "./refused-page.ts";

type Results = Record<string, DataStrategyResult>;

/**
 * Statuses after which the page stays: not allowed, gone, or not possible now (somebody else was quicker, something is still running, or
 * the disk is full).
 */
const LEAVES_PAGE: ReadonlySet<number> = new Set([403, 404, 409, 507]);
/** The address to which `requireViewer` redirects. Redirects to other ways to sign in are what a form wanted. */
const SIGN_IN = /^\/sign-in(?:\?to=|$)/;

const listeners = new Set<(message: string) => void>();

/** Calls the listener for each form that was refused. Returns a function that ends it. */
export function onRefusedForm(listener: (message: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Removes refusals from the answer to a form and tells the listeners, so that the page from which it was sent stays. */
export function keepPageOfRefusedForm(results: Results): Results {
  return Object.fromEntries(
    Object.entries(results).map(([routeId, each]): [string, DataStrategyResult] => {
      const message = each.type === "error" ? toMessage(each.result) : null;
      if (message === null) return [routeId, each];
      for (const tell of listeners) tell(message);
      // After a status of 400 or above, the router loads nothing again.
      return [routeId, { type: "data", result: data(undefined, { status: 403 }) }];
    }),
  );
}

/**
 * If the viewer is signed out, a reading that the page starts by itself changes nothing. A redirect to the sign-in would take away what
 * they are typing. `LiveNotice` says that they are signed out, and their next action leads to the sign-in.
 * @param shown the data that the page has loaded, by route
 */
export function keepPageOfRefusedReading(results: Results, shown: Readonly<Record<string, unknown>>): Results {
  if (!Object.values(results).some(({ result }) => isSignIn(result))) return results;
  return Object.fromEntries(Object.keys(results).map((routeId) => [routeId, { type: "data", result: shown[routeId] }]));
}

/** The message for the person. Null: the page cannot stay. */
function toMessage(error: unknown): string | null {
  if (isSignIn(error)) return "You are signed out, and nothing was saved. Sign in in another tab, then send it again.";
  if (!isRouteErrorResponse(error) || !LEAVES_PAGE.has(error.status)) return null;
  const said = toRefusedPage(error)?.message ?? (typeof error.data === "string" ? error.data : "");
  const message = said || "This was refused.";
  return error.status === 404 ? `${message} Nothing was saved.` : message;
}

function isSignIn(answer: unknown): boolean {
  return answer instanceof Response && SIGN_IN.test(answer.headers.get("location") ?? "");
}
