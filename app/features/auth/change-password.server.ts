import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { LONG_PASSWORD, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./credential-limits.ts";
import { forgetOtherBrowsers } from "./known-browser.server.ts";
import type { HasherBusy, PasswordHasher } from "./password-hasher.ts";
import { endOtherSessions } from "./session.server.ts";

export type ChangePasswordResult =
  | { ok: true }
  | { ok: false; reason: "invalid"; errors: { current?: string; next?: string } }
  | HasherBusy;

export async function changePassword(
  { people, passwords }: { people: PeopleStore; passwords: PasswordHasher },
  { viewer, current, next, request }: { viewer: User; current: string; next: string; request: Request },
): Promise<ChangePasswordResult> {
  if (next.length < MIN_PASSWORD_LENGTH) return invalid({ next: `At least ${MIN_PASSWORD_LENGTH} characters.` });
  if (next.length > MAX_PASSWORD_LENGTH) return invalid({ next: LONG_PASSWORD });
  if (current.length > MAX_PASSWORD_LENGTH) return invalid({ current: LONG_PASSWORD });
  const options = { lane: "known", signal: request.signal } as const;
  const credentials = await people.findCredentials(viewer.email);
  const check = credentials && (await passwords.verify(current, credentials.passwordHash, options));
  if (check && !check.ok) return check;
  if (!check?.isRight) return invalid({ current: "This is not your current password." });
  const hashed = await passwords.hash(next, options);
  if (!hashed.ok) return hashed;
  await people.changePassword(viewer.id, hashed.hash);
  // Somebody who knew the old password is signed out, and their browser is a stranger's again.
  await endOtherSessions(people, { userId: viewer.id, request });
  await forgetOtherBrowsers(people, { userId: viewer.id, request });
  return { ok: true };
}

function invalid(errors: { current?: string; next?: string }): ChangePasswordResult {
  return { ok: false, reason: "invalid", errors };
}
