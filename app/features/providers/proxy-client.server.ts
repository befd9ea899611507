import { createHash } from "node:crypto";
import type { ProviderClientSettings } from "../../domain/people/provider.ts";
import type { ProviderClient } from "../../domain/people/provider-client.ts";
import { type ProxyIdentity, toProxyPerson } from "../../domain/people/proxy-identity.ts";

/** The client for a provider: over the network, or for a proxy, whose answer came with the request. */
export function pickProviderClient(
  providerClient: ProviderClient,
  { kind }: Pick<ProviderClientSettings, "kind">,
  identity: ProxyIdentity | null,
): Pick<ProviderClient, "begin" | "finish"> {
  return kind === "proxy" ? createProxyClient(identity) : providerClient;
}

/** A client like that of a provider, which sends the browser back at once. */
function createProxyClient(identity: ProxyIdentity | null): Pick<ProviderClient, "begin" | "finish"> {
  return {
    async begin(_, { redirectUri, secrets: { state } }) {
      toProxyPerson(identity);
      const url = new URL(redirectUri);
      url.search = new URLSearchParams({ state, code: "proxy" }).toString();
      return url;
    },
    async finish() {
      const person = toProxyPerson(identity);
      return { person, renewalToken: identity && hashIdentity(identity) };
    },
  };
}

/** A hash of what the proxy said, which a session keeps. */
export function hashIdentity(identity: ProxyIdentity): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("base64url");
}
