import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { ProjectKey } from "../domain/project.ts";
import type { SdkFeature } from "../domain/sdk-feature.ts";
import type { BundleManifest } from "./bundle-manifest.ts";
import { bundleName, everyChoice } from "./bundle-name.ts";
import { createLoaderEndpoint } from "./serve-loader.server.ts";

const PUBLIC_KEY = "a".repeat(32);
const DISABLED = "b".repeat(32);

const MANIFEST: BundleManifest = {
  path: "/js-sdk/1.2.3",
  integrity: Object.fromEntries(everyChoice().map((choice) => [bundleName(choice), `sha384-${choice.join("")}`])),
};

function makeKey(publicKey: string, sdkFeatures: SdkFeature[] = []): ProjectKey {
  const isEnabled = publicKey !== DISABLED;
  return { id: 1, projectId: 7, label: "Default", publicKey, isEnabled, rateLimit: null, sdkFeatures, createdAt: 0 };
}

async function start({
  features = [],
  manifest = MANIFEST,
}: {
  features?: SdkFeature[];
  manifest?: BundleManifest | null;
} = {}) {
  const keys = [makeKey(PUBLIC_KEY, features), makeKey(DISABLED)];
  const handle = createLoaderEndpoint({
    findKey: (publicKey) => keys.find((key) => key.publicKey === publicKey),
    isLoaded: () => true,
    manifest,
    tunnel: "/t/",
    baseUrl: () => "https://errors.example.com/",
  });
  const server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("the script of a key names its project, its bundle and the bundle's checksum, and any page may load it", async () => {
  await using server = await start({ features: ["tracing", "feedback"] });
  const response = await server.get(`/js-sdk-loader/${PUBLIC_KEY}.min.js`);
  const script = await response.text();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(() => new Function(script)).not.toThrow();
  expect(JSON.parse(script.slice(script.lastIndexOf(")(") + 2, script.lastIndexOf(")")))).toEqual({
    publicKey: PUBLIC_KEY,
    projectId: 7,
    features: ["tracing", "feedback"],
    bundle: "/js-sdk/1.2.3/bundle.tracing.feedback.min.js",
    integrity: "sha384-tracingfeedback",
    tunnel: "/t/",
    base: "https://errors.example.com",
  });
  const etag = response.headers.get("etag") ?? "";
  const again = await server.get(`/js-sdk-loader/${PUBLIC_KEY}.min.js`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
});

test.each([
  [`${"c".repeat(32)}.min.js`, 404, "There is no DSN key"],
  [`${DISABLED}.min.js`, 403, "disabled"],
  ["<b>.min.js", 404, "Name the script"],
  ["", 404, "Name the script"],
])("refuses %s in a comment", async (file, status, words) => {
  await using server = await start();
  const response = await server.get(`/js-sdk-loader/${file}`);
  const text = await response.text();
  expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
  expect(text).toMatch(/^\/\/ [^\n]+\n$/);
  expect(text).toContain(words);
});

test("takes GET and HEAD, and leaves other paths to others", async () => {
  await using server = await start();
  const path = `/js-sdk-loader/${PUBLIC_KEY}.min.js`;
  const head = await server.get(path, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await server.get(path, { method: "POST" })).status).toBe(405);
  for (const other of ["/js-sdk-loader", "/js-sdk-loader/a/b.js", "/"])
    expect((await server.get(other)).status).toBe(418);
});

test("says so where there are no bundles", async () => {
  await using server = await start({ manifest: null });
  const response = await server.get(`/js-sdk-loader/${PUBLIC_KEY}.min.js`);
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run build")]);
});
