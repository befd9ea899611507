import { DAY_MS, HOUR_MS } from "../time.ts";
import type { Role } from "./roles.ts";

/** How long a link works; long enough for somebody who is on holiday for a weekend. */
export const INVITATION_MS = 7 * DAY_MS;
export const RESET_MS = 24 * HOUR_MS;

/** A link by which somebody becomes a member, once. Instants are milliseconds since 1970. */
export interface Invitation {
  id: number;
  /** Null: anybody with the link may use it. */
  email: string | null;
  role: Role;
  teamIds: number[];
  projectIds: number[];
  /** The name of the member who made it. Null: a token made it, or the account is gone. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
  /** What happened to the mail. Null: none was sent. */
  mail: { isOk: boolean; answer: string } | null;
}
