import type { ApiScope, ApiToken } from "../../app/domain/api-token.ts";
import { signIn } from "./browse.ts";
import type { TestServer } from "./start-server.ts";

/**
 * Makes a token on its page, as a person without JavaScript does; gives what is shown once. `url`: where the page is opened,
 * which an organization's token carries.
 */
export async function makeToken(
  server: Pick<TestServer, "owner"> & { url: string },
  { kind = "organization", scopes }: { kind?: ApiToken["kind"]; scopes: ApiScope[] },
): Promise<string> {
  const visitor = await signIn(server);
  const fields: Array<[string, string]> = [
    ["intent", "create"],
    ["kind", kind],
    ["name", `${kind} with ${scopes.length} scopes`],
    ["project", "shop"],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
  ];
  const response = await fetch(`${server.url}/settings/tokens`, {
    method: "POST",
    headers: { cookie: visitor.cookie, origin: server.url, accept: "text/html" },
    body: new URLSearchParams(fields),
  });
  const html = await response.text();
  const secret = /SENTRY_AUTH_TOKEN=(sntry[su]_[A-Za-z0-9+/=_]+)/.exec(html)?.[1];
  if (response.status !== 200 || secret === undefined)
    throw new Error(`making a token answered ${response.status}: ${html.slice(0, 2000)}`);
  return secret;
}
