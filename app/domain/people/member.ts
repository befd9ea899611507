import type { Role } from "./roles.ts";

/** Somebody of the organization. Instants are milliseconds since 1970. */
export interface Member {
  userId: number;
  email: string;
  name: string;
  role: Role;
  joinedAt: number;
  /** Null: still there. */
  removedAt: number | null;
  /** To the day: when a session was used last. Null: not signed in. */
  seenAt: number | null;
  /** Whether sign-in asks for a second factor. */
  hasSecondFactor: boolean;
  /** Whether they can sign in with a passkey. */
  hasPasskey: boolean;
  /** Ascending. */
  teamIds: number[];
  /** Given without a team; those of the reader's scope, ascending. */
  projectIds: number[];
}
