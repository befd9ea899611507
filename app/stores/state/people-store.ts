import type { Access } from "../../domain/people/access.ts";
import type { ProviderSession } from "../../domain/people/provider-session.ts";
import type { Role } from "../../domain/people/roles.ts";
import type { Project } from "../../domain/project.ts";
import type { User } from "../../domain/user.ts";

export interface Organization {
  slug: string;
  name: string;
  createdAt: number;
  /** Members without a second factor see nothing but the page that sets one up. */
  requiresSecondFactor: boolean;
}

/** Something that a user is signed in with. */
export interface Session {
  /** 16 hex characters: enough to name it, of no use for signing in. */
  id: string;
  userId: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Moves on while the session is used, at most once a day. */
  expiresAt: number;
  userAgent: string | null;
}

/** The organization, its users, and what they are signed in with. */
export interface PeopleStore {
  getOrganization(): Promise<Organization | null>;
  /** Atomic; fails with `already-set-up` when there is an owner. Also makes the built-in project `culprit`, after the first one. */
  setUp(input: {
    organization: { slug: string; name: string };
    owner: { email: string; name: string; passwordHash: string };
    project: { slug: string; name: string; platform: string } | null;
    at: number;
  }): Promise<{ ok: true; userId: number; project: Project | null } | { ok: false; reason: "already-set-up" }>;
  /**
   * Gives the user's id. Somebody who was removed gets the account back with what is given here, and without the tokens.
   * @throws when a member has the address.
   */
  createMember(member: {
    email: string;
    name: string;
    passwordHash: string;
    role: Role;
    teamIds: readonly number[];
    /** Given without a team. */
    projectIds: readonly number[];
    at: number;
  }): Promise<number>;
  /** Null: there is no such account, or it is of nobody who is a member. */
  getUser(userId: number): Promise<User | null>;
  /** Where the user's rights come from; null as above. */
  getAccess(userId: number): Promise<Access | null>;
  /** All members, in the order in which they came; at most 1,000. */
  listUsers(): Promise<User[]>;
  /** Of a member. */
  findCredentials(email: string): Promise<{ userId: number; passwordHash: string } | null>;
  /** Who has been an owner for longest. */
  getOwner(): Promise<User | null>;
  /** Mailed links for a new password or another address end. */
  changePassword(userId: number, passwordHash: string): Promise<void>;
  /** False when somebody else has the address. */
  changeProfile(userId: number, profile: { name: string; email: string }): Promise<boolean>;
  /** Makes the user the only owner, and former owners managers. False when there is no such user. */
  makeOwner(userId: number): Promise<boolean>;
  createSession(session: {
    tokenHash: string;
    userId: number;
    createdAt: number;
    expiresAt: number;
    userAgent: string | null;
    /** Where it began; absent: with a password. */
    providerId?: number | null;
    /** Asks that provider again; absent: it gave none. */
    renewalToken?: string | null;
  }): Promise<void>;
  /** `provider` null: it began with a password. */
  getSession(
    tokenHash: string,
    now: number,
  ): Promise<{ userId: number; expiresAt: number; provider: ProviderSession | null } | null>;
  /** What its provider said anew. `checkedAt` absent: only that the account is still there. */
  renewSession(
    tokenHash: string,
    renewal: { renewedAt: number; renewalToken: string | null; checkedAt?: number },
  ): Promise<void>;
  extendSession(tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Ends what else the user is signed in with; gives how many sessions that were. */
  deleteOtherSessions(userId: number, keptTokenHash: string): Promise<number>;
  /** Those that last at `now`, the one that was used last first; of one user, or of everybody (null). At most 1,000. */
  listSessions(userId: number | null, now: number): Promise<Session[]>;
  /** Ends a session of the user; false when it is not there. */
  endSession(userId: number, sessionId: string): Promise<boolean>;
  deleteExpiredSessions(now: number): Promise<number>;
  /** Whether the user has signed in with the browser that has this token. */
  isKnownBrowser(browser: { tokenHash: string; userId: number; now: number }): Promise<boolean>;
  /** A user has at most 20; those that expire last stay. */
  rememberBrowser(browser: { tokenHash: string; userId: number; expiresAt: number }): Promise<void>;
  forgetOtherBrowsers(userId: number, keptTokenHash: string): Promise<void>;
  /** Where an owner or a manager signed in last: what links begin with, where no address is configured. Null: none of them has yet. */
  getSignInOrigin(): Promise<string | null>;
  saveSignInOrigin(origin: string): Promise<void>;
}
