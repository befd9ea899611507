import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import { confirmPassword, hasPassword } from "../auth/confirm-password.server.ts";
import { BUSY_MESSAGE } from "../auth/credential-limits.ts";
import { endOtherSessions } from "../auth/session.server.ts";
import { toWaitMessage } from "../auth/wait-message.ts";
import { readIntent } from "../input/read-intent.ts";
import { checkCode } from "./check-code.server.ts";
import { hashRecoveryCode, makeRecoveryCodes } from "./recovery-codes.server.ts";
import { findStep, makeSecret, readCode, toKeyUri } from "./totp.server.ts";

/** A secret is shown for this long, until a code confirms it. */
const SET_UP_MS = 30 * MINUTE_MS;

interface Parts {
  people: PeopleStore;
  secondFactors: SecondFactorStore;
  passwords: PasswordHasher;
}

export interface SecondFactorState {
  /** Null: sign-in does not ask for one. */
  on: { since: number; recoveryCodesLeft: number } | null;
  /** A set-up that has begun; null: none has. */
  setUp: FactorSetUp | null;
  /** Whether a set-up asks for the password first: people who sign in by a provider may have none. */
  hasPassword: boolean;
}

export interface FactorSetUp {
  /** The secret in groups of four characters, to type. */
  key: string;
  /** Opens an app on this device. */
  uri: string;
  /** `size`: modules on each side of the QR code. `path`: the dark ones as an SVG path in these units. */
  qr: { size: number; path: string };
}

/** @param options.host the name of the server in the app */
export async function getSecondFactorState(
  { secondFactors, people }: Pick<Parts, "secondFactors" | "people">,
  { viewer, host, now }: { viewer: User; host: string; now: number },
): Promise<SecondFactorState> {
  const factor = await secondFactors.getSecondFactor(viewer.id);
  const withPassword = { hasPassword: await hasPassword(people, viewer) };
  if (!factor) return { on: null, setUp: null, ...withPassword };
  const { secret, confirmedAt, createdAt, recoveryCodesLeft } = factor;
  if (confirmedAt !== null) return { on: { since: confirmedAt, recoveryCodesLeft }, setUp: null, ...withPassword };
  if (createdAt + SET_UP_MS <= now) return { on: null, setUp: null, ...withPassword };
  const uri = await toKeyUri({ secret, issuer: `Culprit ${host}`, account: viewer.email });
  return {
    on: null,
    setUp: { key: secret.replace(/(.{4})(?=.)/g, "$1 "), uri, qr: await drawQr(uri) },
    ...withPassword,
  };
}

const ON_ALREADY = "Your second factor is on already.";

export type ChangeFactorResult =
  /** `codes`: new recovery codes, which are shown only this once. */
  | { ok: true; done: string | null; codes: string[] | null }
  | { ok: false; status: 400 | 409 | 429; field: string | null; message: string; retryAfter: number | null };

interface Change {
  viewer: User;
  form: FormData;
  request: Request;
  /** Whether the organization requires one of every member. */
  isRequired: boolean;
  now: number;
}

/** Changes the viewer's own second factor as the `intent` of the pressed button says. */
export async function changeSecondFactor(parts: Parts, change: Change): Promise<ChangeFactorResult> {
  const read = readIntent(change.form, ["begin-factor", "confirm-factor", "turn-off-factor", "new-codes"]);
  if (!read.ok) return refused(read.field, read.message);
  switch (read.intent) {
    case "begin-factor":
      return await begin(parts, change);
    case "confirm-factor":
      return await confirm(parts, change);
    case "turn-off-factor":
      return await turnOff(parts, change);
    case "new-codes":
      return await renewCodes(parts, change);
  }
}

async function begin(parts: Parts, { viewer, form, request, now }: Change): Promise<ChangeFactorResult> {
  if (!(await hasPassword(parts.people, viewer))) return await startSetUp(parts, { viewer, now });
  const password = String(form.get("confirm") ?? "");
  const confirmed = await confirmPassword(parts, { viewer, password, signal: request.signal });
  if (!confirmed.ok) {
    if (confirmed.reason === "wrong") return refused("confirm", "This is not your current password.");
    const { retryAfterSeconds } = confirmed;
    const message = confirmed.reason === "busy" ? BUSY_MESSAGE : toWaitMessage(retryAfterSeconds);
    return { ...refused("confirm", message), status: 429, retryAfter: retryAfterSeconds };
  }
  return await startSetUp(parts, { viewer, now });
}

async function startSetUp(
  { secondFactors }: Parts,
  { viewer, now }: { viewer: User; now: number },
): Promise<ChangeFactorResult> {
  if (await secondFactors.beginSecondFactor({ userId: viewer.id, secret: await makeSecret(), at: now }))
    return { ok: true, done: null, codes: null };
  return { ...refused(null, ON_ALREADY), status: 409 };
}

async function confirm(
  { secondFactors, people }: Parts,
  { viewer, form, request, now }: Change,
): Promise<ChangeFactorResult> {
  const userId = viewer.id;
  const factor = await secondFactors.getSecondFactor(userId);
  if (factor && factor.confirmedAt !== null) return { ...refused(null, ON_ALREADY), status: 409 };
  if (!factor || factor.createdAt + SET_UP_MS <= now)
    return { ...refused(null, "This set-up is over. Begin again."), status: 409 };
  const code = readCode(String(form.get("code") ?? ""));
  const step = code === null ? null : await findStep(factor.secret, code, now);
  if (step === null)
    return refused(
      "code",
      "The app shows another code. Check that the clock of your phone is right, and try the next code.",
    );
  const codes = makeRecoveryCodes();
  const recoveryCodeHashes = codes.map((each) => hashRecoveryCode(userId, each));
  const { secret } = factor;
  if (!(await secondFactors.confirmSecondFactor({ userId, secret, step, recoveryCodeHashes, at: now })))
    return { ...refused(null, "This set-up is over. Begin again."), status: 409 };
  // Anyone else who knew the password is signed out.
  await endOtherSessions(people, { userId, request });
  return { ok: true, done: "Two-factor sign-in is on. You are signed out everywhere else.", codes };
}

async function turnOff({ secondFactors }: Parts, change: Change): Promise<ChangeFactorResult> {
  const { viewer, isRequired } = change;
  if (isRequired)
    return { ...refused(null, "Your organization requires a second factor: it cannot be turned off."), status: 409 };
  const refusal = await refuseCode(secondFactors, change);
  if (refusal) return refusal;
  await secondFactors.removeSecondFactor(viewer.id);
  return { ok: true, done: "Two-factor sign-in is off.", codes: null };
}

async function renewCodes({ secondFactors }: Parts, change: Change): Promise<ChangeFactorResult> {
  const refusal = await refuseCode(secondFactors, change);
  if (refusal) return refusal;
  const userId = change.viewer.id;
  const codes = makeRecoveryCodes();
  const codeHashes = codes.map((each) => hashRecoveryCode(userId, each));
  await secondFactors.replaceRecoveryCodes({ userId, codeHashes });
  return { ok: true, done: "These are your new recovery codes. The earlier ones do not work any more.", codes };
}

/** Null: the code in the form is right. */
async function refuseCode(
  secondFactors: SecondFactorStore,
  { viewer, form, now }: Change,
): Promise<(ChangeFactorResult & { ok: false }) | null> {
  const text = String(form.get("code") ?? "");
  const checked = await checkCode(secondFactors, {
    userId: viewer.id,
    text,
    source: { known: `user ${viewer.id}` },
    now,
  });
  if (checked.ok) return null;
  if (checked.reason === "wrong") return refused("code", checked.message);
  const { retryAfterSeconds } = checked;
  return { ...refused("code", toWaitMessage(retryAfterSeconds)), status: 429, retryAfter: retryAfterSeconds };
}

function refused(field: string | null, message: string): ChangeFactorResult & { ok: false } {
  return { ok: false, status: 400, field, message, retryAfter: null };
}

async function drawQr(text: string): Promise<FactorSetUp["qr"]> {
  const { encode } = await import("uqr");
  const { size, data } = encode(text, { ecc: "M", border: 0 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}
