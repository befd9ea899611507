import { redirect } from "react-router";
import type { ProviderClientSettings, ProviderPerson } from "../../domain/people/provider.ts";
import {
  isProviderProblem,
  type ProviderClient,
  type SignInSecrets,
  toStrangersMessage,
} from "../../domain/people/provider-client.ts";
import { applyRules } from "../../domain/people/provider-rules.ts";
import { PROVIDER_REFUSALS } from "../../domain/people/provider-sign-in.ts";
import type { ProxyIdentity } from "../../domain/people/proxy-identity.ts";
import type { Role } from "../../domain/people/roles.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import type { ProviderSignInStore } from "../../stores/state/provider-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { answerAttempt, type FinishParts } from "../auth/finish-sign-in.server.ts";
import { continueSession, endDueSession } from "../auth/session.server.ts";
import { askAuth } from "../sign-in/ask-auth.server.ts";
import { type Attempt, type Identified, makeAttempt, PROVIDER } from "../sign-in/attempt.server.ts";
import { forgetOAuthState } from "../sign-in/oauth-state.server.ts";
import { toRedirectUri, toSender } from "./begin-provider-sign-in.server.ts";
import { type ProviderMode, type ProviderTrip, readTrip } from "./provider-trip.ts";
import { pickProviderClient } from "./proxy-client.server.ts";
import { signInPerson } from "./sign-in-person.server.ts";

/** Limits answers of providers from one network: each causes a request to the provider. */
const ANSWERS_FROM_NETWORK = new AttemptCounter({ maxAttempts: 60, windowMs: 10 * MINUTE_MS });

type Parts = FinishParts & {
  providerSignIns: ProviderSignInStore;
  providerClient: ProviderClient;
  settings: { publicUrl: string | null };
};

/** The result of a test sign-in, which changes nothing. */
export interface TestSignIn {
  providerId: number;
  provider: string;
  /** The received claims as formatted JSON. */
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
      /** What the browser went to the provider for. Null: the answer does not say. */
      mode: ProviderMode | null;
      message: string;
      retryAfter: number | null;
    };

/** Ends better-auth's work on an answer that makes no session. */
class TripEnded extends Error {
  readonly result: FinishProviderResult;

  constructor(result: FinishProviderResult) {
    super("nobody is to be signed in by this answer");
    this.result = result;
  }
}

interface Arrival {
  providerId: number;
  viewer: User | null;
  request: Request;
  url: URL;
  clientAddress: string | null;
  proxyIdentity: ProxyIdentity | null;
  isSecure: boolean;
  now: number;
}

const OVER = "This sign-in is over, or began in another browser. Begin again.";

/** Handles the return from a provider: signs in, connects the account, or shows the result of a test. */
export async function finishProviderSignIn(parts: Parts, arrival: Arrival): Promise<FinishProviderResult> {
  const { providerId, request, url, clientAddress, proxyIdentity, isSecure, now } = arrival;
  const provider = await parts.providerSignIns.findProvider(providerId);
  // A genuine answer has each parameter once.
  const isDoubled = new Set(url.searchParams.keys()).size < url.searchParams.size;
  if (!provider || isDoubled) return refused(400, OVER, null);
  const at = performance.now();
  const network = toSender(provider, { proxyIdentity, clientAddress });
  const retryAfter = ANSWERS_FROM_NETWORK.retryAfterSeconds(network, at);
  if (retryAfter > 0) return { ...refused(429, "Too many attempts.", null), retryAfter };
  ANSWERS_FROM_NETWORK.record(network, at);
  const seen: { trip: ProviderTrip | null } = { trip: null };
  const attempt = makeAttempt({
    ...{ request, isSecure, now, by: provider.name, providerId },
    errand: {
      toUrl: () => Promise.reject(new Error("the browser is back already")),
      async identify(secrets, note) {
        const trip = readTrip(note);
        seen.trip = trip;
        if (trip === null || trip.providerId !== providerId) throw new TripEnded(refused(400, OVER, null));
        const found = await identify(parts, arrival, { provider, trip, secrets });
        attempt.renewalToken = found.renewalToken;
        return found;
      },
    },
  });
  try {
    const outcome = await askAuth(parts, attempt, (api) =>
      api.callbackOAuth({
        method: "GET",
        params: { id: PROVIDER },
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
      }),
    );
    if (outcome.kind === "redirected" && attempt.begun === null)
      return await explain(parts, { provider, attempt, location: outcome.location });
    const to = seen.trip?.to ?? "/issues";
    const response = await answerAttempt(parts, to, {
      attempt,
      outcome: outcome.kind === "redirected" ? { kind: "answered", answer: null } : outcome,
    });
    return answer(response);
  } catch (error) {
    if (error instanceof TripEnded) return error.result;
    if (!isProviderProblem(error)) throw error;
    const { mode = null, to = "/issues", userId = null } = seen.trip ?? {};
    if (mode === "silent") return await askThePerson(parts, { to, request });
    return refused(502, userId === null ? toStrangersMessage(error) : error.message, mode);
  }
}

/**
 * The person who came back and is to be signed in.
 * @throws TripEnded if nobody is to be signed in
 */
async function identify(
  parts: Parts,
  { viewer, request, url, proxyIdentity, now }: Arrival,
  {
    provider,
    trip,
    secrets,
  }: {
    provider: ProviderClientSettings & { isEnabled: boolean };
    trip: ProviderTrip;
    secrets: Omit<SignInSecrets, "state">;
  },
): Promise<Identified & { renewalToken: string | null }> {
  const { mode, to } = trip;
  if (mode !== "test" && !provider.isEnabled)
    throw new TripEnded(refused(403, "This way to sign in was turned off.", mode));
  if (trip.userId !== null && trip.userId !== viewer?.id)
    throw new TripEnded(refused(403, "Somebody else is signed in now. Begin again.", mode));
  const client = pickProviderClient(parts.providerClient, provider, proxyIdentity);
  const { person, renewalToken } = await client.finish(provider, {
    answer: url,
    redirectUri: toRedirectUri(parts.settings, url.origin, provider.id),
    // better-auth has already compared it with its own.
    secrets: { ...secrets, state: url.searchParams.get("state") ?? "" },
  });
  if (mode === "test") throw new TripEnded({ kind: "tested", test: describeTest(provider, person) });
  if (mode === "connect" && viewer) throw new TripEnded(await connect(parts, { provider, person, viewer, now }));
  const result = await signInPerson(parts.providerSignIns, provider, { person, now });
  if (!result.ok) throw new TripEnded(refused(403, PROVIDER_REFUSALS[result.reason], "sign-in"));
  const { userId } = result;
  // Continues the due session, if there is one: a second factor is not asked for again.
  const who = { request, now, userId, providerId: provider.id, renewalToken };
  const continued = await continueSession(parts.people, to, who);
  if (continued) throw new TripEnded(answer(continued));
  return { userId, subject: person.subject, renewalToken };
}

/** The refusal for a sign-in that better-auth ended: the answer belongs to another sign-in, or the provider refuses. */
async function explain(
  parts: Parts,
  { provider, attempt, location }: { provider: ProviderClientSettings; attempt: Attempt; location: URL },
): Promise<FinishProviderResult> {
  // A fault of Culprit's: the provider has already said who it is.
  if (attempt.identified) throw new Error(`no session was made: ${location.search}`, { cause: attempt.fault });
  const trip = readTrip(location.href);
  if (trip === null || trip.providerId !== provider.id) return refused(400, OVER, null);
  const { mode, to } = trip;
  if (mode === "silent") return await askThePerson(parts, { to, request: attempt.request });
  const said = ["error", "error_description"].map((name) => location.searchParams.get(name)).filter(Boolean);
  const reason = said.join(": ").slice(0, 300);
  // better-auth's own reasons: the answer may belong to another sign-in.
  if (reason.startsWith("state_")) return refused(400, OVER, mode);
  const { searchParams } = new URL(attempt.request.url);
  // The standard has one code for both cases.
  if (searchParams.get("error") === "access_denied") {
    const why = location.searchParams.get("error_description");
    return refused(403, `You cancelled at ${provider.name}, or it does not let you in${toAddition(why)}.`, mode);
  }
  if (searchParams.has("error")) return refused(502, `The provider refused: ${reason}`, mode);
  return refused(502, `The answer of the provider cannot be used: ${reason}.`, mode);
}

function toAddition(words: string | null): string {
  return words ? `: ${words.slice(0, 300).replace(/\.$/, "")}` : "";
}

/** The provider no longer knows the browser, or wants to ask the person something: then the sign-in page asks. */
async function askThePerson(
  { people }: Parts,
  { to, request }: { to: string; request: Request },
): Promise<FinishProviderResult> {
  await endDueSession(people, request);
  return answer(redirect(`/sign-in?to=${encodeURIComponent(to)}`));
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
  const result = await providerSignIns.connectProvider({
    providerId: provider.id,
    subject,
    userId: viewer.id,
    at: now,
  });
  if (result === "taken")
    return refused(409, `Another account here is connected with this account of ${provider.name}.`, "connect");
  if (result === "managed")
    return refused(409, `${provider.name} made your account here, and knows you by another account there.`, "connect");
  return answer(redirect(`/settings/security?connected=${provider.id}`));
}

function answer(response: Response): FinishProviderResult {
  response.headers.append("set-cookie", forgetOAuthState());
  return { kind: "response", response };
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
