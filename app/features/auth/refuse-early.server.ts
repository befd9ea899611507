import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { BUSY_MESSAGE } from "./credential-limits.ts";
import { signInThrottle } from "./own-throttle.server.ts";
import { delayRefusal } from "./refusal-delay.server.ts";
import { findRefusal } from "./sign-in.server.ts";
import { toWaitMessage } from "./wait-message.ts";
import { answerWithWaitPage } from "./wait-page.ts";

/**
 * The path in every form that the router accepts: in any case, with additional slashes. The page's own script posts to `.data`,
 * which the route answers.
 */
const SIGN_IN = /^\/+sign-in\/*$/i;

function isSignIn(url: string): boolean {
  try {
    return SIGN_IN.test(decodeURIComponent(new URL(url).pathname));
  } catch {
    // No path of this server has a broken escape.
    return false;
  }
}

/**
 * Refuses a sign-in early, without the router, a trace and a page, if the limits or a full queue refuse it whatever the password
 * is. Null: it is another request, or the sign-in has to be checked. It counts nothing, so a request from another site learns no
 * more than it would otherwise.
 */
export async function refuseEarly(
  {
    people,
    passwords,
  }: {
    people: Pick<PeopleStore, "findCredentials" | "isKnownBrowser">;
    passwords: Pick<PasswordHasher, "findBusy">;
  },
  { request, form, clientAddress }: { request: Request; form: FormData; clientAddress: string | null },
): Promise<Response | null> {
  const email = form.get("email");
  if (request.method !== "POST" || typeof email !== "string" || form.has("intent")) return null;
  if (!isSignIn(request.url)) return null;
  const refusal = await findRefusal(
    { people, passwords, throttle: signInThrottle },
    { email, request, clientAddress, now: Date.now() },
  );
  if (!refusal) return null;
  await delayRefusal(request.signal);
  return answerWithWaitPage({
    message: refusal.reason === "busy" ? BUSY_MESSAGE : toWaitMessage(refusal.retryAfterSeconds),
    url: request.url,
    typed: form,
    headers: new Headers({ "retry-after": String(refusal.retryAfterSeconds) }),
  });
}
