import { expect, test } from "vitest";
import { listSetUpSnippets } from "../source-maps/set-up-snippets.ts";
import { toUploadTool } from "../source-maps/upload-tool.ts";
import { SNIPPETS, withAddresses } from "./platform-snippets.ts";
import { PLATFORMS } from "./platforms.ts";

const addresses = {
  dsn: "https://0123456789abcdef0123456789abcdef@culprit.example/7",
  loader: "https://culprit.example/js-sdk-loader/0123456789abcdef0123456789abcdef.min.js",
  tunnel: "https://culprit.example/t/",
};

test.each(PLATFORMS.map(({ id }) => id))("the snippets of %s carry the DSN, and tell release and environment", (id) => {
  const code = SNIPPETS[id].files.map((file) => withAddresses(file.code, addresses)).join("\n");
  if (id !== "opentelemetry") expect(code).toContain(addresses.dsn);
  expect(code).toMatch(/release/i);
  expect(code).toMatch(/environment/i);
  // With real users, a rate of 1 costs more than it is worth.
  expect(code).not.toMatch(/sample_?rate\W+1/i);
  expect(code).not.toMatch(/\b(LOADER|TUNNEL)\b/);
});

test("exporters of OpenTelemetry get the parts of the DSN", () => {
  const { files, verify } = SNIPPETS.opentelemetry;
  for (const code of [...files.map((file) => file.code), verify]) {
    const text = withAddresses(code, { ...addresses, dsn: "https://0123456789abcdef@culprit.example:8443/errors/7" });
    expect(text).toContain("https://culprit.example:8443/errors/api/7/integration/otlp");
    expect(text).toContain("sentry_key=0123456789abcdef");
    expect(text).not.toContain("OF_PROJECT");
  }
});

test("the name of a setting is not mistaken for the DSN", () => {
  const { dsn } = addresses;
  expect(withAddresses("export SENTRY_DSN=DSN", addresses)).toBe(`export SENTRY_DSN=${dsn}`);
  expect(withAddresses("SENTRY_LARAVEL_DSN=DSN", addresses)).toBe(`SENTRY_LARAVEL_DSN=${dsn}`);
});

// Without NODE_ENV, the preloaded SDK loads React's development build, while the server that starts afterwards renders with its
// production build.
test("React Router's server starts with one build of React", () => {
  const start = SNIPPETS["javascript-react-router"].files.find(({ name }) => name === "package.json");
  expect(start?.code).toMatch(/NODE_ENV=production .*--import/);
});

// OpenTelemetry exporters send logs without an option. So do slog's handler and tracing's layer.
test("every SDK with an option for logs says it", () => {
  const without = PLATFORMS.filter(({ id }) => SNIPPETS[id].logs === undefined).map(({ id }) => id);
  expect(without).toEqual(["go-http", "rust", "opentelemetry", "other"]);
  // What it calls is imported nowhere else.
  expect(SNIPPETS.python.logs?.call).toContain("import logging");
  expect(SNIPPETS.go.logs?.option).toContain('sentryslog "github.com/getsentry/sentry-go/slog"');
});

test("builds of JavaScript and Android are led to a tool that uploads their source maps or mappings", () => {
  const tools = listSetUpSnippets({ serverUrl: "https://culprit.example", org: "acme", project: "shop" });
  const led = PLATFORMS.map(({ id }) => id).filter((id) => toUploadTool(id) !== null);
  for (const id of led) expect(tools.map((tool) => tool.id)).toContain(toUploadTool(id));
  // A script tag has no build, Bun and Deno run the source, and React Native uploads with its own tools.
  const others = ["javascript-script", "bun", "deno", "react-native"];
  const built = PLATFORMS.filter(
    ({ family, id }) => id === "android" || (/javascript|node/.test(family) && !others.includes(id)),
  );
  expect(led).toEqual(built.map(({ id }) => id));
  expect(toUploadTool("javascript-nextjs")).toBe("nextjs");
});
