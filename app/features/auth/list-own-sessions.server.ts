import { SESSION_MS, type User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { describeBrowser } from "./describe-browser.ts";
import { findSessionId } from "./session.server.ts";

export interface OwnSession {
  id: string;
  /** A text like `Firefox on Linux`. */
  browser: string;
  /** Milliseconds since 1970. */
  signedInAt: number;
  /** Milliseconds since 1970, accurate to a day: a session in use is extended once a day. */
  usedAt: number;
  /** Whether it is the session of the request. */
  isThis: boolean;
}

const MAX_SHOWN = 100;

/** The viewer's sessions: this one first, then the most recently used ones. */
export async function listOwnSessions(
  people: PeopleStore,
  { viewer, request, now }: { viewer: User; request: Request; now: number },
): Promise<OwnSession[]> {
  const thisId = await findSessionId(request);
  const sessions = (await people.listSessions(viewer.id, now)).map(({ id, createdAt, expiresAt, userAgent }) => ({
    id,
    browser: describeBrowser(userAgent),
    signedInAt: createdAt,
    usedAt: Math.max(createdAt, expiresAt - SESSION_MS),
    isThis: id === thisId,
  }));
  return [...sessions.filter(({ isThis }) => isThis), ...sessions.filter(({ isThis }) => !isThis)].slice(0, MAX_SHOWN);
}
