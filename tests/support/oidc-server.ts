import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** What the provider says of somebody: `idToken` stands in the id_token alone, `userinfo` in the userinfo alone. */
export interface OidcAccount {
  sub: string;
  idToken?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
}

export interface OidcServer extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who is signed in there from now on. */
  signInAs(account: OidcAccount): void;
  /** The account is gone there: no refresh token and no session of it is of use. */
  endAccount(sub: string): void;
}

/** A certified provider on a free port, in which everybody is signed in at once and consents to everything. */
export async function startOidcServer({
  redirectUris,
  givesRefreshTokens = false,
}: {
  redirectUris: string[];
  givesRefreshTokens?: boolean;
}): Promise<OidcServer> {
  const client = {
    client_id: "culprit",
    client_secret: "a secret of the client",
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
  };
  const ended = new Set<string>();
  let account: OidcAccount = { sub: "nobody" };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [client],
    conformIdTokenClaims: false,
    scopes: ["openid", "profile", "email", "groups"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      groups: ["groups", "realm_access"],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => givesRefreshTokens,
    // Servers under test may be days ahead.
    ttl: {
      IdToken: 90 * 86_400,
      AccessToken: 3_600,
      RefreshToken: 90 * 86_400,
      Session: 90 * 86_400,
      Grant: 90 * 86_400,
    },
    findAccount: (_: unknown, sub: string) =>
      ended.has(sub)
        ? undefined
        : {
            accountId: sub,
            claims: (use: string) => ({ sub, ...(use === "id_token" ? account.idToken : account.userinfo) }),
          },
    cookies: { keys: ["of a test"] },
  });
  const handle = provider.callback();
  server.on("request", async (req, res) => {
    if (!req.url?.startsWith("/interaction/")) {
      const [, id = ""] = /_session=([^;]+)/.exec(req.headers.cookie ?? "") ?? [];
      const session = id === "" ? undefined : await provider.Session.find(id);
      if (session?.accountId !== undefined && ended.has(session.accountId)) delete req.headers.cookie;
      return handle(req, res);
    }
    const { params } = await provider.interactionDetails(req, res);
    const grant = new provider.Grant({ accountId: account.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    await provider.interactionFinished(
      req,
      res,
      { login: { accountId: account.sub, remember: false }, consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: false },
    );
  });
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    signInAs(next) {
      account = next;
    },
    endAccount: (sub) => void ended.add(sub),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
