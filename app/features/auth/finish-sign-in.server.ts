import { createHash } from "node:crypto";
import { redirect } from "react-router";
import { z } from "zod";
import type { AuditNote } from "../../domain/audit/audit-entry.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import { type CheckCodeResult, checkCode } from "../second-factor/check-code.server.ts";
import { beginSession } from "./begin-session.server.ts";
import { toNetwork } from "./client-network.ts";
import { findKnownBrowser } from "./known-browser.server.ts";
import { noteSignIn } from "./note-sign-in.server.ts";
import { createSealedCookie } from "./sealed-cookie.server.ts";

/** Long enough to find one's phone. */
const MAX_PAUSE_MS = 10 * MINUTE_MS;

/** Who has given the first factor, and which (`by`). `password` is of its hash: a change of the password ends what was begun with the old one. */
const firstStep = createSealedCookie(
  "culprit_first_step",
  z.object({
    userId: z.number(),
    password: z.string(),
    by: z.string(),
    providerId: z.number().nullable(),
    renewalToken: z.string().nullable(),
  }),
  {
    maxAgeMs: MAX_PAUSE_MS,
  },
);

interface Parts {
  people: PeopleStore;
  secondFactors: SecondFactorStore;
  providerSignIns: Pick<ProviderSignInStore, "listOffered">;
  audit: { note(note: AuditNote): Promise<void> };
}

interface Sender {
  request: Request;
  isSecure: boolean;
  now: number;
}

interface NewSignIn {
  userId: number;
  by: string;
  /** Whether the first factor was as good as two. Absent: it was not. */
  isWhole?: boolean;
  providerId?: number | null;
  renewalToken?: string | null;
}

/** Signs in somebody who has given the first factor (`by`, like `password`), or asks them for the second one. */
export async function finishSignIn(
  { people, secondFactors, providerSignIns, audit }: Parts,
  to: string,
  who: Sender & NewSignIn,
): Promise<Response> {
  const { userId, by, isSecure, now, providerId = null, renewalToken = null } = who;
  if (providerId === null && (await providerSignIns.listOffered()).isRequired) {
    const user = await people.getUser(userId);
    // Owners can always get in, should the provider be away.
    if (user?.role !== "owner") return redirect("/sign-in?only=provider");
  }
  const factor = await secondFactors.getSecondFactor(userId);
  if (who.isWhole || !factor || factor.confirmedAt === null) {
    await noteSignIn({ people, audit }, { userId, by });
    return beginSession(people, to, who);
  }
  const password = await tagPassword(people, userId);
  if (password === null) throw new Error(`user ${userId} is no member`);
  const cookie = await firstStep.seal({ userId, password, by, providerId, renewalToken }, { isSecure, now });
  return redirect(to === "/issues" ? "/sign-in/code" : `/sign-in/code?to=${encodeURIComponent(to)}`, {
    headers: { "set-cookie": cookie },
  });
}

interface FirstStep {
  userId: number;
  email: string;
  by: string;
  providerId: number | null;
  renewalToken: string | null;
}

/** Whose code the sender may give; null: the first factor was not given, or ten minutes ago. */
export async function findFirstStep(
  { people }: Pick<Parts, "people">,
  { request, now }: { request: Request; now: number },
): Promise<FirstStep | null> {
  const step = await firstStep.open(request, now);
  if (!step || (await tagPassword(people, step.userId)) !== step.password) return null;
  const user = await people.getUser(step.userId);
  const { by, providerId, renewalToken } = step;
  return user && { userId: user.id, email: user.email, by, providerId, renewalToken };
}

export type GiveCodeResult =
  | { ok: true; response: Response }
  | { ok: false; reason: "gone" }
  /** `account`: whose code it would have been. */
  | (CheckCodeResult & { ok: false } & { account: string });

/** The second step: a code of the app, or a recovery code. */
export async function giveCode(
  parts: Parts,
  { text, to, clientAddress, ...sender }: Sender & { text: string; to: string; clientAddress: string | null },
): Promise<GiveCodeResult> {
  const { people, secondFactors } = parts;
  const { request, now } = sender;
  const step = await findFirstStep({ people }, sender);
  if (!step) return { ok: false, reason: "gone" };
  const { userId } = step;
  const browser = await findKnownBrowser(people, { userId, request, now });
  const source = browser ? { known: browser } : { userId, network: toNetwork(clientAddress) };
  const checked = await checkCode(secondFactors, { userId, text, source, now });
  if (!checked.ok) return { ...checked, account: step.email };
  const by = checked.usedRecoveryCode ? "recovery code" : "code";
  // After a recovery code, people see how many are left.
  const next = checked.usedRecoveryCode ? "/settings/security" : to;
  return { ok: true, response: await finishFirstStep(parts, next, { ...sender, step, by }) };
}

/** Begins the session of somebody who has given both factors; `by`: the second one. */
export async function finishFirstStep(
  { people, audit }: Pick<Parts, "people" | "audit">,
  to: string,
  { step, by, ...sender }: Sender & { step: FirstStep; by: string },
): Promise<Response> {
  const { userId, providerId, renewalToken } = step;
  await noteSignIn({ people, audit }, { userId, by: `${step.by}, ${by}` });
  const response = await beginSession(people, to, { ...sender, userId, providerId, renewalToken });
  response.headers.append("set-cookie", await firstStep.forget());
  return response;
}

async function tagPassword(people: PeopleStore, userId: number): Promise<string | null> {
  const user = await people.getUser(userId);
  const credentials = user && (await people.findCredentials(user.email));
  return credentials && createHash("sha256").update(credentials.passwordHash).digest("base64url");
}
