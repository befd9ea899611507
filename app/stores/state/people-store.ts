import type { Project } from "../../domain/project.ts";
import type { User } from "../../domain/user.ts";

export interface Organization {
  slug: string;
  name: string;
  createdAt: number;
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
  /** Gives the user's id. @throws when somebody has the address. */
  createMember(member: {
    email: string;
    name: string;
    passwordHash: string;
    /** The projects that the person is limited to; null: all of the organization. */
    projectIds: readonly number[] | null;
    at: number;
  }): Promise<number>;
  getUser(userId: number): Promise<User | null>;
  findCredentials(email: string): Promise<{ userId: number; passwordHash: string } | null>;
  getOwner(): Promise<User | null>;
  changePassword(userId: number, passwordHash: string): Promise<void>;
  createSession(session: {
    tokenHash: string;
    userId: number;
    createdAt: number;
    expiresAt: number;
    userAgent: string | null;
  }): Promise<void>;
  getSession(tokenHash: string, now: number): Promise<{ userId: number; expiresAt: number } | null>;
  extendSession(tokenHash: string, expiresAt: number): Promise<void>;
  deleteSession(tokenHash: string): Promise<void>;
  /** Ends what else the user is signed in with; gives how many sessions that were. */
  deleteOtherSessions(userId: number, keptTokenHash: string): Promise<number>;
  deleteExpiredSessions(now: number): Promise<number>;
  /** Whether the user has signed in with the browser that has this token. */
  isKnownBrowser(browser: { tokenHash: string; userId: number; now: number }): Promise<boolean>;
  /** A user has at most 20; those that expire last stay. */
  rememberBrowser(browser: { tokenHash: string; userId: number; expiresAt: number }): Promise<void>;
  forgetOtherBrowsers(userId: number, keptTokenHash: string): Promise<void>;
  /** Where somebody signed in last: what links begin with, where no address is configured. Null: nobody has yet. */
  getSignInOrigin(): Promise<string | null>;
  saveSignInOrigin(origin: string): Promise<void>;
}
