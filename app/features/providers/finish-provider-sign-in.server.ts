import type { ProviderClientSettings, ProviderPerson } from "../../domain/people/provider.ts";
import { isProviderProblem, type ProviderClient } from "../../domain/people/provider-client.ts";
import { applyRules } from "../../domain/people/provider-rules.ts";
import { PROVIDER_REFUSALS } from "../../domain/people/provider-sign-in.ts";
import type { ProxyIdentity } from "../../domain/people/proxy-identity.ts";
import type { Role } from "../../domain/people/roles.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { type FinishParts, finishSignIn } from "../auth/finish-sign-in.server.ts";
import { DECOY_HASH } from "../auth/password.server.ts";
import { continueSession, endDueSession } from "../auth/session.server.ts";
import { type ProviderMode, providerStep, toRedirectUri, toSender } from "./begin-provider-sign-in.server.ts";
import { pickProviderClient } from "./proxy-client.server.ts";
import { toUsablePerson } from "./usable-person.ts";

/** Answers that are brought from one network: each is a request to the provider. */
const ANSWERS_FROM_NETWORK = new AttemptCounter({ maxAttempts: 60, windowMs: 10 * MINUTE_MS });

type Parts = FinishParts & {
  providerSignIns: ProviderSignInStore;
  providerClient: ProviderClient;
  settings: { publicUrl: string | null };
};

/** What a test sign-in shows. Nothing was changed by it. */
export interface TestSignIn {
  providerId: number;
  provider: string;
  /** As they were received, formatted. */
  claims: string;
  email: string | null;
  isEmailVerified: boolean;
  /** In the order of the rules. */
  rules: Array<{ claim: string; value: string; role: Role; isMatching: boolean }>;
  /** Null: no access. */
  gives: { role: Role; teamIds: number[] } | null;
}

export type FinishProviderResult =
  | { kind: "response"; response: Response }
  | { kind: "tested"; test: TestSignIn }
  | {
      kind: "refused";
      status: 400 | 403 | 409 | 429 | 502;
      /** What the browser had gone to the provider for; null: it does not say. */
      mode: ProviderMode | null;
      message: string;
      retryAfter: number | null;
    };

/** The browser comes back from the provider: signs in, connects the account, or shows what a test found. */
export async function finishProviderSignIn(
  parts: Parts,
  {
    providerId,
    viewer,
    request,
    url,
    clientAddress,
    proxyIdentity,
    isSecure,
    now,
  }: {
    providerId: number;
    viewer: User | null;
    request: Request;
    url: URL;
    clientAddress: string | null;
    proxyIdentity: ProxyIdentity | null;
    isSecure: boolean;
    now: number;
  },
): Promise<FinishProviderResult> {
  const step = await providerStep.open(request, now);
  const provider = await parts.providerSignIns.findProvider(providerId);
  if (!step || step.providerId !== providerId || !provider)
    return refused(400, "This sign-in is over, or began in another browser. Begin again.", step?.mode ?? null);
  if (step.mode !== "test" && !provider.isEnabled)
    return refused(403, "This way to sign in was turned off.", step.mode);
  if (step.userId !== null && step.userId !== viewer?.id)
    return refused(403, "Somebody else is signed in now. Begin again.", step.mode);
  const at = performance.now();
  const network = toSender(provider, { proxyIdentity, clientAddress });
  const retryAfter = ANSWERS_FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfter > 0) return { ...refused(429, "Too many attempts.", step.mode), retryAfter };
  ANSWERS_FROM_NETWORK.record(network, at);
  try {
    const redirectUri = toRedirectUri(parts.settings, url.origin, providerId);
    const client = pickProviderClient(parts.providerClient, provider, proxyIdentity);
    const found = await client.finish(provider, { answer: url, redirectUri, secrets: step.secrets });
    const { person } = found;
    if (step.mode === "test") return { kind: "tested", test: describeTest(provider, person) };
    if (step.mode === "connect" && viewer) return await connect(parts, { provider, person, viewer, now });
    return await signIn(parts, { provider, ...found, to: step.to, request, isSecure, now });
  } catch (error) {
    if (!isProviderProblem(error)) throw error;
    return step.mode === "silent"
      ? await askThePerson(parts, { to: step.to, request })
      : refused(502, error.message, step.mode);
  }
}

/** The provider does not know the browser any more, or wants to ask the person something: so does the sign-in page. */
async function askThePerson(
  { people }: Parts,
  { to, request }: { to: string; request: Request },
): Promise<FinishProviderResult> {
  await endDueSession(people, request);
  const headers = new Headers({ location: `/sign-in?to=${encodeURIComponent(to)}` });
  headers.append("set-cookie", await providerStep.forget());
  return { kind: "response", response: new Response(null, { status: 302, headers }) };
}

async function signIn(
  parts: Parts,
  {
    provider,
    person,
    renewalToken,
    to,
    ...sender
  }: {
    provider: ProviderClientSettings;
    person: ProviderPerson;
    renewalToken: string | null;
    to: string;
    request: Request;
    isSecure: boolean;
    now: number;
  },
): Promise<FinishProviderResult> {
  const { grant } = applyRules(provider.rules, person.claims);
  const result = await parts.providerSignIns.signInByProvider({
    providerId: provider.id,
    person: toUsablePerson(person),
    grant,
    passwordHash: DECOY_HASH,
    at: sender.now,
  });
  if (!result.ok) return refused(403, PROVIDER_REFUSALS[result.reason], "sign-in");
  const who = { ...sender, userId: result.userId, by: provider.name, providerId: provider.id, renewalToken };
  // The session goes on that was due: what began it, like a second factor, is not asked for again.
  const response = (await continueSession(parts.people, to, who)) ?? (await finishSignIn(parts, to, who));
  response.headers.append("set-cookie", await providerStep.forget());
  return { kind: "response", response };
}

async function connect(
  { providerSignIns }: Parts,
  {
    provider,
    person,
    viewer,
    now,
  }: { provider: ProviderClientSettings; person: ProviderPerson; viewer: User; now: number },
): Promise<FinishProviderResult> {
  const { subject } = person;
  if (!(await providerSignIns.connectProvider({ providerId: provider.id, subject, userId: viewer.id, at: now })))
    return refused(409, `Another account here is connected with this account of ${provider.name}.`, "connect");
  const headers = { location: "/settings/security", "set-cookie": await providerStep.forget() };
  return { kind: "response", response: new Response(null, { status: 302, headers }) };
}

function describeTest({ id, name, rules }: ProviderClientSettings, person: ProviderPerson): TestSignIn {
  const { matches, grant } = applyRules(rules, person.claims);
  return {
    providerId: id,
    provider: name,
    claims: JSON.stringify(person.claims, null, 2),
    email: person.email,
    isEmailVerified: person.isEmailVerified,
    rules: rules.map(({ claim, value, role }, index) => ({ claim, value, role, isMatching: matches.includes(index) })),
    gives: grant,
  };
}

function refused(
  status: 400 | 403 | 409 | 502 | 429,
  message: string,
  mode: ProviderMode | null,
): FinishProviderResult & { kind: "refused" } {
  return { kind: "refused", status, mode, message, retryAfter: null };
}
