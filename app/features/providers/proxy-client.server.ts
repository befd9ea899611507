import { createHash } from "node:crypto";
import type { ProviderClientSettings } from "../../domain/people/provider.ts";
import type { ProviderClient } from "../../domain/people/provider-client.ts";
import { type ProxyIdentity, toProxyPerson } from "../../domain/people/proxy-identity.ts";

/** Who asks the provider: over the network, or of the proxy that has answered with the request already. */
export function pickProviderClient(
  providerClient: ProviderClient,
  { kind }: Pick<ProviderClientSettings, "kind">,
  identity: ProxyIdentity | null,
): Pick<ProviderClient, "begin" | "finish"> {
  return kind === "proxy" ? createProxyClient(identity) : providerClient;
}

/** Speaks like a provider that sends the browser back at once. */
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

/** What a session remembers of what the proxy said last. */
export function hashIdentity(identity: ProxyIdentity): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("base64url");
}
