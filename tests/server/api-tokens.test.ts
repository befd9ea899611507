import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_SCOPES, type ApiScope, allowsScope } from "../../app/domain/api-token.ts";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { expectAsDocumented } from "../support/api.ts";
import { openAnswerChecker } from "../support/api-document.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await startServer();
  visitor = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function call(method: string, path: string, token: string | null): Promise<Response> {
  const response = await fetch(`${server.url}/api/0${path}`, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  await expectAsDocumented(server, method, path, response);
  return response;
}

/** With names that are there where they change nothing, and elsewhere none that are. */
function toPath(template: string): string {
  return template
    .replace("{organization}", "default")
    .replace("{project}", "nowhere")
    .replace(/\{\w+\}/g, "0");
}

describe("scopes", () => {
  test("every endpoint asks for its scope, and names it where it is missing", async () => {
    const tokens = new Map<ApiScope, string>();
    for (const scope of API_SCOPES) tokens.set(scope, await makeToken(server, { kind: "personal", scopes: [scope] }));
    const mistakes: string[] = [];
    let refused = 0;
    for (const { method, path, scopes } of ENDPOINTS) {
      if (scopes === "public") continue;
      if ((await call(method, toPath(path), null)).status !== 401) mistakes.push(`${method} ${path} without a token`);
      for (const [scope, token] of tokens) {
        const isAllowed = scopes === "any-token" || allowsScope([scope], scopes);
        const response = await call(method, toPath(path), token);
        const body = response.status === 204 ? "" : await response.text();
        if ((response.status === 403) === isAllowed || response.status >= 500)
          mistakes.push(`${method} ${path} with ${scope}: ${response.status} ${body}`);
        if (response.status !== 403 || scopes === "any-token") continue;
        refused += 1;
        if (!scopes.every((each) => body.includes(each)) || !body.includes(`this token has ${scope}.`))
          mistakes.push(body);
      }
    }
    expect(mistakes).toEqual([]);
    expect(refused).toBeGreaterThan(200);
  });

  test("the operator's token and whoever is signed in may do everything", async () => {
    const ways: HeadersInit[] = [{ authorization: `Bearer ${server.token}` }, { cookie: visitor.cookie }];
    for (const headers of ways) {
      const response = await fetch(`${server.url}/api/0/`, { headers });
      expect(await response.json()).toMatchObject({
        auth: { scopes: [...API_SCOPES] },
        user: { email: server.owner.email },
      });
    }
  });

  test("the document is there for everyone", async () => {
    const response = await fetch(`${server.url}/api/0/openapi.json`);
    expect(response.status).toBe(200);
    const document = await response.json();
    expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: `${server.url}/api/0` }] });
    // What answers are held against is what this server says.
    const { document: checked } = await openAnswerChecker(server.url);
    expect([document.paths, document.components]).toEqual([checked.paths, checked.components]);
  });

  test("a method that a path does not have is 405 and says which it has; an unknown path is 404", async () => {
    const wrong = await call("PUT", "/organizations/", server.token);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await call("GET", "/users/me/planets/", server.token)).status).toBe(404);
    expect((await call("GET", "/users/me/planets/", null)).status).toBe(401);
  });
});

describe("tokens", () => {
  const secretOf = (html: string) => /SENTRY_AUTH_TOKEN=(sntry[su]_[A-Za-z0-9+/=_]+)/.exec(html)?.[1] ?? "";
  const create = (fields: Record<string, string>) =>
    visitor.post("/settings/tokens", { intent: "create", kind: "organization", name: "CI", ...fields });

  test("are shown once, with what a build needs, and never again", async () => {
    const made = await create({ name: "Shown once", scope: "org:ci", project: "shop" });
    expect(made.status).toBe(200);
    const secret = secretOf(made.html);
    for (const line of [`SENTRY_URL=${server.url}`, "SENTRY_ORG=default", "SENTRY_PROJECT=shop"])
      expect(made.html).toContain(line);
    const later = await visitor.open("/settings/tokens");
    expect(later.html).toContain("Shown once");
    expect(later.html).not.toContain(secret.split("_")[2]);
    expect(later.html).toContain(secret.slice(-4));
    expect(later.html).toContain("never used");
    expect((await call("GET", "/", secret)).status).toBe(200);
    expect((await visitor.open("/settings/tokens")).html).toContain("last used");
  });

  test("an organization's stands for nobody, a personal one for who made it", async () => {
    const ofOrganization = await makeToken(server, { scopes: ["org:ci"] });
    expect(await (await call("GET", "/", ofOrganization)).json()).toEqual({
      version: "0",
      auth: { scopes: ["org:ci"] },
      user: null,
    });
    const personal = await makeToken(server, { kind: "personal", scopes: ["event:read"] });
    expect(await (await call("GET", "/", personal)).json()).toMatchObject({
      auth: { scopes: ["event:read"] },
      user: { email: server.owner.email },
    });
  });

  test("revoked ones are refused at once", async () => {
    const secret = secretOf((await create({ name: "To be revoked", scope: "org:read" })).html);
    expect((await call("GET", "/organizations/", secret)).status).toBe(200);
    const { html } = await visitor.open("/settings/tokens");
    const id = /To be revoked[\s\S]*?name="token" value="(\d+)"/.exec(html)?.[1] ?? "";
    const revoked = await visitor.post("/settings/tokens", { intent: "revoke", token: id });
    expect(revoked.html).toContain("is revoked");
    expect((await call("GET", "/organizations/", secret)).status).toBe(401);
    expect((await visitor.post("/settings/tokens", { intent: "revoke", token: id })).status).toBe(404);
  });

  test("are not made by a button that the page does not have", async () => {
    const answer = await create({ intent: "explode", scope: "org:ci" });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain("intent: Must be one of create, revoke");
  });

  test("need a name and a scope", async () => {
    expect((await create({ name: " ", scope: "org:ci" })).status).toBe(400);
    expect((await create({ name: "x".repeat(65), scope: "org:ci" })).status).toBe(400);
    const without = await create({});
    expect([without.status, without.html]).toEqual([400, expect.stringContaining("Choose at least one")]);
    expect((await create({ scope: "org:everything" })).status).toBe(400);
    expect((await create({ scope: "org:ci", kind: "royal" })).status).toBe(400);
  });

  test("are made by people only: the page wants a session, and the way there from sentry-cli leads to it", async () => {
    const anonymous = await fetch(`${server.url}/settings/tokens`, { redirect: "manual" });
    expect(anonymous.status).toBe(302);
    const fromLogin = await fetch(`${server.url}/orgredirect/organizations/:orgslug/settings/auth-tokens/`, {
      redirect: "manual",
    });
    expect([fromLogin.status, fromLogin.headers.get("location")]).toEqual([302, "/settings/tokens"]);
  });

  test("what is no token is refused: another form, another scheme, too long a one", async () => {
    for (const secret of ["sntryu_", "x", "sntrys_e30=_x", `sntryu_${"0".repeat(64)}`, "y".repeat(10_000)])
      expect((await call("GET", "/", secret)).status, secret.slice(0, 20)).toBe(401);
  });
});
