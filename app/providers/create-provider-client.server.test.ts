import { expect, test, vi } from "vitest";
import type { ProviderClientSettings } from "../domain/people/provider.ts";
import { createProviderClient } from "./create-provider-client.server.ts";

test("whoever runs the server is told why a provider could not be asked", async () => {
  const onProblem = vi.fn();
  const client = createProviderClient({ allowsPrivate: false, onProblem });
  const provider = {
    kind: "oidc",
    name: "Acme",
    issuer: "http://127.0.0.1:1",
    clientId: "id",
  } as ProviderClientSettings;
  const secrets = { state: "s", nonce: "n", verifier: "v" };
  const begun = client.begin(provider, { redirectUri: "http://culprit.example/callback", isSilent: false, secrets });
  await expect(begun).rejects.toThrow("is asked over https only");
  const message = expect.stringContaining("is asked over https only");
  expect(onProblem.mock.calls).toEqual([[provider, expect.objectContaining({ message })]]);
});
