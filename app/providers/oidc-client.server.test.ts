import { expect, test } from "vitest";
import { createOidcClient } from "./oidc-client.server.ts";

const ISSUER = "https://login.example.com";
const REDIRECT = "https://culprit.example.com/sign-in/callback/1";
const SETTINGS = {
  id: 1,
  kind: "oidc" as const,
  name: "Acme",
  issuer: ISSUER,
  clientId: "culprit",
  clientSecret: "secret",
  scopes: "openid",
  rules: [],
  isEnabled: true,
  createdAt: 0,
};
const seconds = Math.floor(Date.now() / 1_000);
const CLAIMS = { iss: ISSUER, aud: "culprit", sub: "1", nonce: "n", iat: seconds, exp: seconds + 300 };

const json = (value: unknown, status = 200) =>
  new Response(typeof value === "string" ? value : JSON.stringify(value), {
    status,
    headers: { "content-type": typeof value === "string" ? "text/html" : "application/json" },
  });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const toToken = (claims: object) => `${encode({ alg: "RS256" })}.${encode({ ...CLAIMS, ...claims })}.AAAA`;

/** Comes back from a provider that says these claims, or answers so. */
function finish({ claims = {}, discovery = {}, token }: { claims?: object; discovery?: object; token?: Response }) {
  const client = createOidcClient({
    allowsPrivate: false,
    now: () => 0,
    fetch: async (url) =>
      url.endsWith("openid-configuration")
        ? json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token`, ...discovery })
        : (token ?? json({ access_token: "a", token_type: "Bearer", id_token: toToken(claims) })),
  });
  const secrets = { state: "s", nonce: "n", verifier: "v".repeat(43) };
  const answer = new URL(`${REDIRECT}?code=c&state=s`);
  return client.finish(SETTINGS, { answer, redirectUri: REDIRECT, secrets });
}

test("a token whose claims are right names a person", async () => {
  expect((await finish({})).person).toMatchObject({ subject: "1" });
});

test.each([
  [{ claims: { aud: "other" } }, 'its aud is "other", not "culprit"'],
  [{ claims: { iss: `${ISSUER}/` } }, `its iss is "${ISSUER}/", not "${ISSUER}"`],
  [{ claims: { nonce: undefined } }, 'JWT "nonce" (nonce) claim missing'],
  [{ claims: { exp: 1_700_000_000 } }, "its exp is 2023-11-14T22:13:20.000Z, and the clock of this server says 20"],
  [{ claims: { sub: undefined } }, 'JWT "sub" (subject) claim missing'],
  [{ claims: { aud: ["culprit", "other"] } }, "claim includes additional untrusted audiences"],
  [
    { discovery: { issuer: "https://other.example" } },
    'its issuer is "https://other.example", not "https://login.example.com/"',
  ],
  [{ token: json("<html>", 500) }, "unexpected HTTP response status code (500)"],
])("what cannot be used is said: %j", async (sent, words) => {
  await expect(finish(sent)).rejects.toMatchObject({
    name: "ProviderProblem",
    message: expect.stringContaining(words),
  });
});
