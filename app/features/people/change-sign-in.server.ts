import type { Workspace } from "../../access/workspace.ts";
import { readIntent } from "../input/read-intent.ts";

export interface SignInSettings {
  requiresSecondFactor: boolean;
  /** Members who would have to set one up. */
  withoutSecondFactor: number;
  ownHasSecondFactor: boolean;
}

export async function getSignInSettings({ state, scope, user }: Workspace): Promise<SignInSettings> {
  const [members, requiresSecondFactor] = await Promise.all([
    state.members.listMembers(scope),
    state.members.isSecondFactorRequired(scope),
  ]);
  return {
    requiresSecondFactor,
    withoutSecondFactor: members.filter(({ hasSecondFactor }) => !hasSecondFactor).length,
    ownHasSecondFactor: members.some(({ userId, hasSecondFactor }) => userId === user?.id && hasSecondFactor),
  };
}

export type ChangeSignInResult = { ok: true; message: string } | { ok: false; status: 400 | 409; message: string };

/** Changes how everybody signs in, as the `intent` of the pressed button says. */
export async function changeSignInForm(workspace: Workspace, form: FormData): Promise<ChangeSignInResult> {
  const pressed = readIntent(form, ["require-second-factor", "allow-one-factor"]);
  if (!pressed.ok) return pressed;
  const { state, scope } = workspace;
  const isRequired = pressed.intent === "require-second-factor";
  if (isRequired && !(await getSignInSettings(workspace)).ownHasSecondFactor)
    return { ok: false, status: 409, message: "Set up your own second factor first." };
  await state.members.requireSecondFactor(scope, isRequired);
  return {
    ok: true,
    message: isRequired
      ? "Every member needs a second factor from now on."
      : "A second factor is not required any more.",
  };
}
