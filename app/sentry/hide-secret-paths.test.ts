import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "../routes.ts";
import { hideSecretPaths, hideSecrets, SECRET_PATHS } from "./hide-secret-paths.ts";

test("hides the tokens of links, wherever the address stands", () => {
  expect(hideSecretPaths("GET /invitation/aB3_x-9.data")).toBe("GET /invitation/[hidden]");
  expect(hideSecretPaths("https://c.example/act/1.2.resolve.3.sig?x=1#top")).toBe(
    "https://c.example/act/[hidden]?x=1#top",
  );
  expect(hideSecretPaths("/sign-in?to=%2Fshare%2Fissue%2Fabc&x=1")).toBe("/sign-in?to=%2Fshare%2Fissue%2F[hidden]&x=1");
  expect(hideSecretPaths("http://h/sign-in/callback/3?code=abc&state=def")).toBe(
    "http://h/sign-in/callback/3?code=[hidden]&state=[hidden]",
  );
  expect(hideSecretPaths("code=abc&iss=x")).toBe("code=[hidden]&iss=x");
});

test("leaves other addresses as they are", () => {
  for (const text of [
    "/reset-password",
    "/invitation/:token",
    "/issues/shop-1/share",
    "/settings/invitations",
    "an exit code=1",
  ])
    expect(hideSecretPaths(text)).toBe(text);
});

test("goes through all that is reported, except what the SDK keeps to itself", () => {
  const circle: Record<string, unknown> = { url: "/act/secret" };
  circle.self = circle;
  const event = {
    transaction: "GET /act/secret",
    spans: [{ data: { "url.full": "http://h/act/secret" } }, null, 4],
    sdkProcessingMetadata: circle,
  };
  expect(hideSecrets(event)).toEqual({
    transaction: "GET /act/[hidden]",
    spans: [{ data: { "url.full": "http://h/act/[hidden]" } }, null, 4],
    sdkProcessingMetadata: circle,
  });
});

test("every route with a token is known", () => {
  const listed = (entries: readonly RouteConfigEntry[]): string[] =>
    entries.flatMap(({ path = "", children = [] }) => [path, ...listed(children)]);
  const secret = listed(routes as RouteConfigEntry[]).filter((path) => path.endsWith("/:token"));
  expect(secret.map((path) => path.replace("/:token", "")).sort()).toEqual([...SECRET_PATHS]);
});
