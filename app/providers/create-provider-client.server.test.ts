import { expect, test, vi } from "vitest";
import type { ProviderClientSettings } from "../domain/people/provider.ts";
import { createProviderClient } from "./create-provider-client.server.ts";

test("the log says why a provider could not be asked", async () => {
  const warn = vi.fn();
  const client = createProviderClient({ allowsPrivate: false, log: { warn } });
  const provider = {
    kind: "oidc",
    name: "Acme",
    issuer: "http://127.0.0.1:1",
    clientId: "id",
  } as ProviderClientSettings;
  const secrets = { state: "s", nonce: "n", verifier: "v" };
  const begun = client.begin(provider, { redirectUri: "http://culprit.example/callback", isSilent: false, secrets });
  await expect(begun).rejects.toThrow("is asked over https only");
  const reason = expect.stringContaining("is asked over https only");
  expect(warn.mock.calls).toEqual([[{ provider: "Acme", reason }, "a provider does not say who signs in"]]);
});
