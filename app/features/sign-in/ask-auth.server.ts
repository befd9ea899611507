import type { HasherBusy } from "../../domain/people/password-hasher.ts";
import { type Delay, NotAdmitted } from "./admit.server.ts";
import { type Attempt, runAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Auth } from "./create-auth.server.ts";
import { HashesAreBusy } from "./hashes-are-busy.ts";
import { LinkIsGone } from "./reset-link-rows.server.ts";

/** The result of a call to better-auth. */
export type Outcome<Answer> =
  | { kind: "answered"; answer: Answer }
  /** The credentials are right, but something else must come first. */
  | { kind: "delayed"; delay: Delay }
  | { kind: "busy"; busy: HasherBusy }
  /** The link by which the person came was used or has expired. */
  | { kind: "gone" }
  /** better-auth redirects the browser. */
  | { kind: "redirected"; location: URL }
  /** `code`: better-auth's name of the reason, like `INVALID_USERNAME_OR_PASSWORD`. */
  | { kind: "refused"; code: string };

const opened = new WeakMap<object, Promise<Auth>>();

function openAuth(parts: AuthParts): Promise<Auth> {
  const known = opened.get(parts.people);
  if (known) return known;
  const auth = import("./create-auth.server.ts").then(({ createAuth }) => createAuth(parts));
  opened.set(parts.people, auth);
  // After a failure, like an unreadable file, the next call tries again.
  auth.catch(() => opened.delete(parts.people));
  return auth;
}

/** @throws what better-auth throws besides answers to the sender, and the reason of the request's signal if the sender left */
export async function askAuth<Answer>(
  parts: AuthParts,
  attempt: Attempt,
  ask: (api: Auth["api"]) => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const { api } = await openAuth(parts);
  return await toOutcome(attempt, () => ask(api));
}

/** @throws as `askAuth`. */
export async function toOutcome<Answer>(attempt: Attempt, ask: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { kind: "answered", answer: await runAttempt(attempt, ask) };
  } catch (thrown) {
    // Some endpoints turn it into an error of the sender.
    const error = attempt.fault instanceof NotAdmitted ? attempt.fault : thrown;
    if (error instanceof NotAdmitted) return { kind: "delayed", delay: error.delay };
    if (error instanceof HashesAreBusy) return { kind: "busy", busy: error.busy };
    if (error instanceof LinkIsGone) return { kind: "gone" };
    if (!isApiError(error)) throw error;
    const location = new Headers(error.headers).get("location");
    if (error.status === "FOUND" && location)
      return { kind: "redirected", location: new URL(location, "http://localhost") };
    const code = error.body?.code;
    if (code === undefined) throw error;
    return { kind: "refused", code };
  }
}

interface ApiError extends Error {
  status: string | number;
  headers?: HeadersInit;
  body?: { code?: string };
}

/** By name, because the class is loaded with the library. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "APIError";
}
