import { expect, test } from "vitest";
import { findPasskeySite } from "./passkey.ts";

const reasonOf = (publicUrl: string | null, origin: string) => {
  const site = findPasskeySite({ publicUrl, origin });
  return site.ok ? null : site.reason;
};

test("a passkey belongs to the host name of PUBLIC_URL, or to that of the request where there is none", () => {
  const site = { ok: true, host: "errors.example.com", origin: "https://errors.example.com" };
  const publicUrl = "https://errors.example.com/culprit";
  expect(findPasskeySite({ publicUrl, origin: "https://errors.example.com" })).toEqual(site);
  expect(findPasskeySite({ publicUrl: null, origin: "https://errors.example.com" })).toEqual(site);
  expect(reasonOf(null, "http://localhost:3000")).toBeNull();
  expect(reasonOf(null, "http://a.localhost:3000")).toBeNull();
});

test("where browsers make none, a sentence says why", () => {
  expect(reasonOf("https://errors.example.com", "http://localhost:3000")).toContain("https://errors.example.com");
  expect(reasonOf("https://errors.example.com", "https://errors.example.com:8443")).toContain("belong to");
  expect(reasonOf(null, "http://127.0.0.1:3000")).toContain("an IP address: 127.0.0.1");
  expect(reasonOf(null, "https://[::1]:3000")).toContain("an IP address");
  expect(reasonOf(null, "http://errors.example.com")).toContain("plain http");
  expect(reasonOf(null, "http://localhost.example.com")).toContain("plain http");
});
