import type { Role } from "./roles.ts";

/** A provider that somebody signs in with, and the teams that its rules put them into. */
export interface MemberProvider {
  name: string;
  givenTeamIds: number[];
}

/** Somebody of the organization. Instants are milliseconds since 1970. */
export interface Member {
  userId: number;
  email: string;
  name: string;
  role: Role;
  joinedAt: number;
  /** Null: still there. */
  removedAt: number | null;
  /** The day on which a session was last used. Null: no session. */
  seenAt: number | null;
  /** Whether sign-in asks for a second factor. */
  hasSecondFactor: boolean;
  /** Whether they can sign in with a passkey. */
  hasPasskey: boolean;
  /** The providers with which they also sign in, sorted by name. */
  providers: MemberProvider[];
  /** Ascending. */
  teamIds: number[];
  /** Given without a team; those of the reader's scope, ascending. */
  projectIds: number[];
}
