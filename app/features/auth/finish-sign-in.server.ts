import { createHash } from "node:crypto";
import { redirect } from "react-router";
import { z } from "zod";
import { allowsScope } from "../../domain/api-token.ts";
import type { AuditNote } from "../../domain/audit/audit-entry.ts";
import { ROLE_RIGHTS } from "../../domain/people/roles.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";
import { type CheckCodeResult, checkCode } from "../second-factor/check-code.server.ts";
import { askAuth, type Outcome } from "../sign-in/ask-auth.server.ts";
import { type Attempt, makeAttempt, type NewAttempt } from "../sign-in/attempt.server.ts";
import type { AuthParts } from "../sign-in/auth-parts.ts";
import { toNetwork } from "./client-network.ts";
import { findKnownBrowser, rememberBrowser } from "./known-browser.server.ts";
import { noteSignIn } from "./note-sign-in.server.ts";
import { createSealedCookie } from "./sealed-cookie.server.ts";
import { serializeSession } from "./session.server.ts";

/** Long enough to find a phone. */
const MAX_PAUSE_MS = 10 * MINUTE_MS;

/**
 * The person who has given the first factor, and which one (`by`). `password` comes from the hash of the password: a change of the
 * password ends sign-ins that began with the old one.
 */
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

/** The parts that finishing a sign-in needs. */
export type FinishParts = AuthParts & {
  secondFactors: SecondFactorStore;
  audit: { note(note: AuditNote): Promise<void> };
};

interface Sender {
  request: Request;
  isSecure: boolean;
  now: number;
}

/** Signs in a person who has given the first factor (`by`, like `invitation`), or asks them for the second one. */
export async function finishSignIn(
  parts: FinishParts,
  to: string,
  { userId, ...who }: NewAttempt & { userId: number },
): Promise<Response> {
  const attempt = makeAttempt(who);
  const outcome = await askAuth(parts, attempt, (api) => api.enter({ body: { userId: String(userId) } }));
  return await answerAttempt(parts, to, { attempt, outcome });
}

/**
 * Continues after a correct factor: signs in, or leads to the next step.
 * @throws for an outcome that is a refusal: only the caller can explain it
 */
export async function answerAttempt(
  { people, audit }: Pick<FinishParts, "people" | "audit">,
  to: string,
  { attempt, outcome }: { attempt: Attempt; outcome: Outcome<unknown> },
): Promise<Response> {
  const { request, isSecure, now, by, providerId, renewalToken, begun } = attempt;
  const headers = new Headers(attempt.setCookies.map((cookie): [string, string] => ["set-cookie", cookie]));
  if (outcome.kind === "delayed") {
    const { delay } = outcome;
    if (delay.reason === "provider-only") return redirect(`/sign-in?only=provider${toQuery(to, "&")}`, { headers });
    if (delay.reason === "password-changed") throw new Error(`a sign-in by ${by} ended as ${delay.reason}`);
    if (delay.reason === "provider-gone") return endFirstStep(redirect(`/sign-in${toQuery(to, "?")}`, { headers }));
    const { userId } = delay;
    const password = await tagPassword(people, userId);
    if (password === null) throw new Error(`user ${userId} is no member`);
    headers.append(
      "set-cookie",
      await firstStep.seal({ userId, password, by, providerId, renewalToken }, { isSecure, now }),
    );
    return redirect(`/sign-in/code${toQuery(to, "?")}`, { headers });
  }
  if (outcome.kind !== "answered" || begun === null) throw new Error(`a sign-in by ${by} ended as ${outcome.kind}`);
  const { userId, token } = begun;
  await noteSignIn({ people, audit }, { userId, by });
  // If no address is configured, links in messages begin with the address that this browser used. A sender can choose the address
  // in a request, and the links go to everybody. So the address is only taken from people who may change settings of the
  // organization.
  const user = await people.getUser(userId);
  if (user && allowsScope(ROLE_RIGHTS[user.role], ["org:write"]))
    await people.saveSignInOrigin(new URL(request.url).origin);
  headers.append("set-cookie", await serializeSession(token, { isSecure }));
  headers.append("set-cookie", await rememberBrowser(people, { userId, request, isSecure, now }));
  return redirect(to, { headers });
}

function toQuery(to: string, separator: "?" | "&"): string {
  return to === "/issues" ? "" : `${separator}to=${encodeURIComponent(to)}`;
}

interface FirstStep {
  userId: number;
  email: string;
  by: string;
  providerId: number | null;
  renewalToken: string | null;
}

/** The person whose code the sender may enter. Null: the first factor was not given, or more than ten minutes ago. */
export async function findFirstStep(
  { people }: Pick<FinishParts, "people">,
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
  /** `account`: the account whose code was expected. */
  | (CheckCodeResult & { ok: false } & { account: string });

/** The second step: a code from the app, or a recovery code. */
export async function giveCode(
  parts: FinishParts,
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
  // After a recovery code, people see how many are left, and continue from there.
  const next = checked.usedRecoveryCode ? `/settings/security?used=recovery-code&to=${encodeURIComponent(to)}` : to;
  return { ok: true, response: await finishFirstStep(parts, next, { ...sender, step, by }) };
}

/** Starts the session of a person who has given both factors. `by`: the second one. */
async function finishFirstStep(
  parts: FinishParts,
  to: string,
  { step, by, ...sender }: Sender & { step: FirstStep; by: string },
): Promise<Response> {
  return await endFirstStep(await finishSignIn(parts, to, { ...sender, userId: step.userId, ...toWhole(step, by) }));
}

/** Describes a sign-in with both factors. `by`: the second one. */
export function toWhole(
  { by: first, providerId, renewalToken }: FirstStep,
  by: string,
): Pick<NewAttempt, "by" | "isWhole" | "providerId" | "renewalToken"> {
  return { by: `${first}, ${by}`, isWhole: true, providerId, renewalToken };
}

/** Makes the browser forget the first factor. */
export async function endFirstStep(response: Response): Promise<Response> {
  response.headers.append("set-cookie", await firstStep.forget());
  return response;
}

async function tagPassword(people: PeopleStore, userId: number): Promise<string | null> {
  const user = await people.getUser(userId);
  const credentials = user && (await people.findCredentials(user.email));
  return credentials && createHash("sha256").update(credentials.passwordHash).digest("base64url");
}
