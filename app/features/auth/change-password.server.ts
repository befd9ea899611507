import type { User } from "../../domain/user.ts";
import type { State } from "../../stores/state/state.ts";
import { hashPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, verifyPassword } from "./password.server.ts";
import { endOtherSessions } from "./session.server.ts";

export type ChangePasswordResult = { ok: true } | { ok: false; errors: { current?: string; next?: string } };

export async function changePassword(
  state: State,
  { viewer, current, next, request }: { viewer: User; current: string; next: string; request: Request },
): Promise<ChangePasswordResult> {
  if (next.length < MIN_PASSWORD_LENGTH)
    return { ok: false, errors: { next: `At least ${MIN_PASSWORD_LENGTH} characters.` } };
  if (next.length > MAX_PASSWORD_LENGTH)
    return { ok: false, errors: { next: `At most ${MAX_PASSWORD_LENGTH} characters.` } };
  const credentials = await state.people.findCredentials(viewer.email);
  if (!credentials || !(await verifyPassword(current, credentials.passwordHash))) {
    return { ok: false, errors: { current: "This is not your current password." } };
  }
  await state.people.changePassword(viewer.id, await hashPassword(next));
  // Whoever knew the old password is out.
  await endOtherSessions(state, { userId: viewer.id, request });
  return { ok: true };
}
