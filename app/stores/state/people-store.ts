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

/** A session of a user. */
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

/** The organization, its users, and their sessions. */
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
   * Returns the user's id. A removed member gets the account back, with what is given here and without the tokens.
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
  /** Null: the account does not exist, or its owner is not a member. */
  getUser(userId: number): Promise<User | null>;
  /** The origins of the user's rights. Null as above. */
  getAccess(userId: number): Promise<Access | null>;
  /** All members, in the order in which they were added; at most 1,000. */
  listUsers(): Promise<User[]>;
  /** Only for members. */
  findCredentials(email: string): Promise<{ userId: number; passwordHash: string } | null>;
  /** The member who has been an owner for longest. */
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
    /** The provider where it began. Absent: it began with a password. */
    providerId?: number | null;
    /** Asks that provider again; absent: it gave none. */
    renewalToken?: string | null;
  }): Promise<void>;
  /** `provider` null: it began with a password. */
  getSession(
    tokenHash: string,
    now: number,
  ): Promise<{ userId: number; expiresAt: number; provider: ProviderSession | null } | null>;
  /** Saves the provider's new answer. `checkedAt` absent: the provider only confirmed that the account exists. */
  renewSession(
    tokenHash: string,
    renewal: { renewedAt: number; renewalToken: string | null; checkedAt?: number },
  ): Promise<void>;
  extendSession(tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Ends the user's other sessions. Returns how many. */
  deleteOtherSessions(userId: number, keptTokenHash: string): Promise<number>;
  /** Sessions that are valid at `now`, the most recently used first. Of one user, or of all (null). At most 1,000. */
  listSessions(userId: number | null, now: number): Promise<Session[]>;
  /** Ends a session of the user; false when it is not there. */
  endSession(userId: number, sessionId: string): Promise<boolean>;
  deleteExpiredSessions(now: number): Promise<number>;
  /** Whether the user has signed in with the browser that has this token. */
  isKnownBrowser(browser: { tokenHash: string; userId: number; now: number }): Promise<boolean>;
  /** A user has at most 20. Those that expire last are kept. */
  rememberBrowser(browser: { tokenHash: string; userId: number; expiresAt: number }): Promise<void>;
  forgetOtherBrowsers(userId: number, keptTokenHash: string): Promise<void>;
  /**
   * The origin at which an owner or a manager last signed in. Links begin with it if no address is configured. Null: none of them has
   * signed in yet.
   */
  getSignInOrigin(): Promise<string | null>;
  saveSignInOrigin(origin: string): Promise<void>;
}
