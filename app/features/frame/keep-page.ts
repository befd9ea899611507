import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";
import { isConnectionFault } from "../../navigation/connection-fault.ts";
import { toRefusedPage } from "./refused-page.ts";

type Results = Record<string, DataStrategyResult>;

/** The address to which `requireViewer` redirects. Redirects to other ways to sign in are what a form wanted. */
const SIGN_IN = /^\/sign-in(?:\?to=|$)/;

/** Null: no page of a signed-in person is there to say something. */
let tell: ((message: string) => void) | null = null;

/** Whether a reading that failed has been told since the last one that did not. */
let isStaleTold = false;

/** Calls the listener for each form that was refused or failed, and for a page that is out of date. Returns a function that ends it. */
export function onKeptPage(listener: (message: string) => void): () => void {
  tell = listener;
  return () => {
    tell = null;
  };
}

/**
 * Removes refusals and failures from the answer to a form and tells the listeners, so that the page from which it was sent stays, with
 * what was typed. Where nobody listens, the error is shown.
 */
export function keepPageOfRefusedForm(results: Results): Results {
  const say = tell;
  if (!say) return results;
  return Object.fromEntries(
    Object.entries(results).map(([routeId, each]): [string, DataStrategyResult] => {
      const message = each.type === "error" ? toMessage(each.result) : null;
      if (message === null) return [routeId, each];
      say(message);
      // After a status of 400 or above, the router loads nothing again. Null: who waits for the answer sees that it came.
      return [routeId, { type: "data", result: data(null, { status: 403 }) }];
    }),
  );
}

/**
 * If the viewer is signed out or the server fails, a reading that the page starts by itself changes nothing. An error page or a redirect to
 * the sign-in would take away what they are typing. `LiveNotice` says that they are signed out, and their next action leads to the sign-in.
 * @param shown the data that the page has loaded, by route
 */
export function keepPageOfRefusedReading(results: Results, shown: Readonly<Record<string, unknown>>): Results {
  const answers = Object.values(results).map(({ result }) => result);
  const isFailed = answers.some(
    (answer) => sayFault(answer) !== null || (isRouteErrorResponse(answer) && answer.status >= 500),
  );
  if (!isFailed && !answers.some(isSignIn)) {
    isStaleTold = false;
    return results;
  }
  if (isFailed && !isStaleTold) tell?.(STALE);
  isStaleTold = true;
  return Object.fromEntries(Object.keys(results).map((routeId) => [routeId, { type: "data", result: shown[routeId] }]));
}

const STALE = "This page may be out of date.";

/** The message for the person. Null: the page cannot stay. */
function toMessage(answer: unknown): string | null {
  if (isSignIn(answer)) return "You are signed out, and nothing was saved. Sign in in another tab, then send it again.";
  if (isRouteErrorResponse(answer)) {
    const said = toRefusedPage(answer)?.message ?? (typeof answer.data === "string" ? answer.data : "");
    // A proxy answers with a page of its own.
    const message = /^[^<]/.test(said) ? said : "This was refused.";
    return answer.status === 404 ? `${message} Nothing was saved.` : message;
  }
  const fault = sayFault(answer);
  return fault && `${fault} Check whether this was saved, then send it again.`;
}

/** Null: the answer is no failure of the connection or of the server. */
function sayFault(answer: unknown): string | null {
  // The router wraps what an action has thrown.
  const fault = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : answer;
  if (isConnectionFault(fault)) return "The server does not answer.";
  // The router's copy of a fault, without its words.
  return fault instanceof Error && fault.message === "Unexpected Server Error" ? "Culprit broke." : null;
}

function isSignIn(answer: unknown): boolean {
  return answer instanceof Response && SIGN_IN.test(answer.headers.get("location") ?? "");
}
