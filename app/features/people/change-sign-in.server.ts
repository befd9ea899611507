import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { type ProviderLimits, SESSION_HOURS_RANGE, TOKEN_DAYS_RANGE } from "../../domain/people/provider-session.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { addProvider } from "../providers/change-provider.server.ts";

export interface SignInSettings {
  requiresSecondFactor: boolean;
  /** The number of members who would have to set up a second factor. */
  withoutSecondFactor: number;
  ownHasSecondFactor: boolean;
  providers: Array<{ id: number; name: string; issuer: string; isEnabled: boolean; ruleCount: number }>;
  /** Whether the operator's proxy can be added as a provider. */
  canAddProxy: boolean;
  /** Whether issues may be shared with people without an account. */
  allowsShares: boolean;
  /** Whether only owners may sign in with a password. */
  requiresProvider: boolean;
  limits: ProviderLimits;
}

export async function getSignInSettings({ state, scope, user, settings }: Workspace): Promise<SignInSettings> {
  const [members, requiresSecondFactor, providers, requiresProvider, limits, allowsShares] = await Promise.all([
    state.members.listMembers(scope),
    state.members.isSecondFactorRequired(scope),
    state.providers.listProviders(scope),
    state.providers.isProviderRequired(scope),
    state.providers.getProviderLimits(scope),
    state.shares.areSharesAllowed(scope),
  ]);
  return {
    requiresSecondFactor,
    withoutSecondFactor: members.filter(({ hasSecondFactor }) => !hasSecondFactor).length,
    ownHasSecondFactor: members.some(({ userId, hasSecondFactor }) => userId === user?.id && hasSecondFactor),
    providers: providers.map(({ id, name, issuer, isEnabled, rules }) => ({
      ...{ id, name, issuer, isEnabled },
      ruleCount: rules.length,
    })),
    canAddProxy: settings.proxySignIn !== null && !providers.some(({ kind }) => kind === "proxy"),
    requiresProvider,
    limits,
    allowsShares,
  };
}

export type ChangeSignInResult =
  | { ok: true; message: string; provider: { id: number } | null }
  | { ok: false; status: 400 | 404 | 409; field: string | null; message: string };

/** Changes how all people sign in. The `intent` is that of the pressed button. */
export async function changeSignInForm(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<ChangeSignInResult> {
  const pressed = readIntent(form, [
    "require-second-factor",
    "allow-one-factor",
    "require-provider",
    "allow-passwords",
    "add-provider",
    "provider-limits",
    "allow-shares",
    "forbid-shares",
  ]);
  if (!pressed.ok) return pressed;
  const { state, scope } = workspace;
  if (pressed.intent === "add-provider") return await addProvider(workspace, { form, now });
  if (pressed.intent === "provider-limits") return await saveLimits(workspace, form);
  if (pressed.intent === "allow-shares" || pressed.intent === "forbid-shares") {
    const isAllowed = pressed.intent === "allow-shares";
    await state.shares.allowShares(scope, isAllowed);
    const message = isAllowed
      ? "Issues may be shared by a link. Links from before work again, until their time is over."
      : "Issues are not shared any more. Links that were made lead nowhere.";
    return { ok: true, message, provider: null };
  }
  if (pressed.intent === "require-provider" || pressed.intent === "allow-passwords") {
    const isNeeded = pressed.intent === "require-provider";
    if (isNeeded && !(await state.providers.listProviders(scope)).some(({ isEnabled }) => isEnabled))
      return { ok: false, status: 409, field: null, message: "Turn on a provider first." };
    await state.providers.requireProvider(scope, { isRequired: isNeeded, at: now });
    const message = isNeeded
      ? "Only owners sign in with a password from now on. Sessions of others that began with one have ended."
      : "Everybody may sign in with a password again.";
    return { ok: true, message, provider: null };
  }
  const isRequired = pressed.intent === "require-second-factor";
  if (isRequired && !(await getSignInSettings(workspace)).ownHasSecondFactor)
    return { ok: false, status: 409, field: null, message: "Set up your own second factor first." };
  await state.members.requireSecondFactor(scope, isRequired);
  return {
    ok: true,
    message: isRequired
      ? "Every member needs a second factor from now on."
      : "A second factor is not required any more.",
    provider: null,
  };
}

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `A whole number from ${min} to ${max}.`)
    .transform(Number)
    .refine((number) => number >= min && number <= max, `A whole number from ${min} to ${max}.`);

const limitsSchema = z.object({
  sessionHours: wholeNumber(SESSION_HOURS_RANGE),
  tokenDays: wholeNumber(TOKEN_DAYS_RANGE),
});

async function saveLimits({ state, scope }: Workspace, form: FormData): Promise<ChangeSignInResult> {
  const read = readForm(limitsSchema, form);
  if (!read.ok) return { ok: false, status: 400, field: read.field, message: read.message };
  await state.providers.saveProviderLimits(scope, read.fields);
  return { ok: true, message: "Saved. It holds for sessions and tokens that are there, too.", provider: null };
}
