import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import type { ProviderKind } from "./provider.ts";
import type { Role } from "./roles.ts";

/** How often providers are asked whether somebody still has an account there. Owners set both. */
export interface ProviderLimits {
  /** Hours after which a session must ask its provider again. */
  sessionHours: number;
  /** Days without a sign-in at a provider after which personal tokens are refused. */
  tokenDays: number;
}

export const SESSION_HOURS_RANGE = { min: 1, max: 168 } as const;
export const TOKEN_DAYS_RANGE = { min: 1, max: 365 } as const;

/** A provider that gives a token for it is asked so often, without the browser. */
const RENEW_AFTER_MS = HOUR_MS;
/** A form that was open when the time ran out is taken for so long: what somebody typed is not lost. */
const FORM_GRACE_MS = 15 * MINUTE_MS;

/** The facts about the provider with which a session began. Instants are milliseconds since 1970. */
export interface ProviderSession {
  id: number;
  kind: ProviderKind;
  /** When the provider last said who the person is. */
  checkedAt: number;
  /** When the provider last confirmed that the account exists. */
  renewedAt: number;
  /** The token that asks the provider without the browser. Null: the provider gave none. For a proxy: the hash of its last answer. */
  renewalToken: string | null;
  sessionHours: number;
}

export function isToRenew({ renewedAt, renewalToken }: ProviderSession, now: number): boolean {
  return renewalToken !== null && now - renewedAt >= RENEW_AFTER_MS;
}

/** Whether the browser has to go to the provider before the session is of use again. A proxy answers with each request. */
export function isDue(
  { kind, checkedAt, sessionHours }: ProviderSession,
  now: number,
  { isForm }: { isForm: boolean },
) {
  return kind !== "proxy" && now - checkedAt >= sessionHours * HOUR_MS + (isForm ? FORM_GRACE_MS : 0);
}

/** The facts that decide whether a person has to sign in through a provider. */
export interface ProviderStanding {
  role: Role;
  /** Whether only owners may sign in with a password. */
  isRequired: boolean;
  /** When they last came through a provider, or when that became required, whichever is later. Null: neither happened. */
  seenAt: number | null;
  tokenDays: number;
}

/** `hasPassword`: they can sign in without a provider, if that is allowed. Accounts that a provider made have no password. */
export function needsProvider(
  { role, isRequired }: Pick<ProviderStanding, "role" | "isRequired">,
  hasPassword: boolean,
): boolean {
  return !hasPassword || (isRequired && role !== "owner");
}

/** Whether a person who needs a provider has not signed in there for so long that their tokens stop working. */
export function isAwayTooLong({ seenAt, tokenDays }: ProviderStanding, now: number): boolean {
  return seenAt === null || now - seenAt >= tokenDays * DAY_MS;
}
