import type { Workspace } from "../../access/workspace.ts";
import { API_SCOPES } from "../../domain/api-token.ts";
import type { Right } from "../../domain/scope.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import { isSignedIn } from "../auth/session.server.ts";
import { lacksSecondFactor } from "../second-factor/require-second-factor.server.ts";

const LOOK_EVERY_MS = 5 * SECOND_MS;
/** The longest life of a stream. */
const MAX_LIFE_MS = 10 * MINUTE_MS;

/**
 * Aborts when the request does, or when the rights of the person have changed. This is noticed within five seconds. The rights have changed
 * if the session has ended or has to ask its provider again, if the person sees other projects or may do other things, or if a second
 * factor is required that they do not have. The browser then asks for a new stream, with the rights of that moment. Call `end` when the
 * stream is over: a request that the server has ended does not abort, and the checks would go on.
 */
export function endWithRights(
  entrance: {
    people: Pick<PeopleStore, "getSession" | "getAccess">;
    secondFactors: Pick<SecondFactorStore, "getSecondFactor">;
    openWorkspace(who: {
      user: User | null;
      rights: readonly Right[];
    }): Promise<Pick<Workspace, "scope" | "organization" | "user">>;
  },
  { scope, user }: Pick<Workspace, "scope" | "user">,
  request: Request,
): { signal: AbortSignal; end(): void } {
  const ended = new AbortController();
  const isSame = async () => {
    if (!(await isSignedIn(entrance.people, { request, now: Date.now() }))) return false;
    if (user && !(await entrance.people.getAccess(user.id))) return false;
    const now = await entrance.openWorkspace({ user, rights: API_SCOPES });
    if (await lacksSecondFactor(entrance, now)) return false;
    return isEqual(now.scope.projectIds, scope.projectIds) && isEqual(now.scope.rights, scope.rights);
  };
  // A check that fails decides nothing, because the next one follows.
  const look = () =>
    isSame().then(
      (same) => same || ended.abort(),
      () => undefined,
    );
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  const life = setTimeout(() => ended.abort(), MAX_LIFE_MS).unref();
  const signal = AbortSignal.any([request.signal, ended.signal]);
  const stop = () => {
    clearInterval(timer);
    clearTimeout(life);
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return { signal, end: () => ended.abort() };
}

function isEqual<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
