import type { Role } from "./people/roles.ts";
import { DAY_MS } from "./time.ts";

/** A session that is not used for so long ends. */
export const SESSION_MS = 30 * DAY_MS;

/** A session that began at a provider ends after so long, however it is used: the provider then says again whether there is access. */
export const PROVIDER_SESSION_MS = DAY_MS;

/** Somebody who signs in: a member of the organization. */
export interface User {
  id: number;
  email: string;
  name: string;
  role: Role;
  /** Milliseconds since 1970. */
  createdAt: number;
}
