import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";
import { toRefusedPage } from "./refused-page.ts";

type Results = Record<string, DataStrategyResult>;

/** Not allowed; gone; or not now, because somebody else was quicker, something is still running, or the disk is full. */
const LEAVES_PAGE: ReadonlySet<number> = new Set([403, 404, 409, 507]);
/** Where `requireViewer` leads. Other ways to sign in are what their form wanted. */
const SIGN_IN = /^\/sign-in(?:\?to=|$)/;

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
      const message = each.type === "error" ? toMessage(each.result) : null;
      if (message === null) return [routeId, each];
      for (const tell of listeners) tell(message);
      // After a status of 400 or above, nothing is loaded again.
      return [routeId, { type: "data", result: data(undefined, { status: 403 }) }];
    }),
  );
}

/**
 * What a page reads by itself leaves it as it was when its viewer is signed out: leading to the sign-in would take what they are typing.
 * `LiveNotice` says that they are, and what they do next leads there.
 *
 * @param shown what the page has loaded, by route
 */
export function keepPageOfRefusedReading(results: Results, shown: Readonly<Record<string, unknown>>): Results {
  if (!Object.values(results).some(({ result }) => isSignIn(result))) return results;
  return Object.fromEntries(Object.keys(results).map((routeId) => [routeId, { type: "data", result: shown[routeId] }]));
}

/** Null: the page cannot stay. */
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
