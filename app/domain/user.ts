import type { Role } from "./people/roles.ts";
import { DAY_MS } from "./time.ts";

/** A session that is not used for so long ends. One that began at a provider ends after so long, however it is used. */
export const SESSION_MS = 30 * DAY_MS;

/** A person who can sign in: a member of the organization. */
export interface User {
  id: number;
  email: string;
  name: string;
  role: Role;
  /** Milliseconds since 1970. */
  createdAt: number;
}
