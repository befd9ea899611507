import { expect, test } from "vitest";
import { parseAddressRange } from "../address-range.server.ts";
import { createProxyIdentityReader, type IdentityRequest } from "./proxy-identity.server.ts";

const headers = { user: "remote-user", email: "remote-email", name: "remote-name", groups: "remote-groups" };
const read = createProxyIdentityReader({ from: ["10.0.0.0/8", "::1", "2001:db8::/32"], headers });

function makeRequest(remoteAddress: string | undefined, pairs: Array<[string, string]>): IdentityRequest {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    joined.set(key, joined.has(key) ? `${joined.get(key)}, ${value}` : value);
  }
  return { headers: Object.fromEntries(joined), rawHeaders: pairs.flat(), socket: { remoteAddress } };
}

const ADA: [string, string] = ["Remote-User", "ada"];

test("the proxy names somebody, and the headers are gone for everybody behind", () => {
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "::1", "2001:db8::7"]) {
    const req = makeRequest(address, [
      ADA,
      ["Remote-Groups", "dev,ops"],
      ["Host", "x"],
      ["REMOTE-NAME", "Zo\u00c3\u00ab"],
    ]);
    expect(read(req)).toEqual({ user: "ada", email: null, name: "Zo\u00eb", groups: ["dev", "ops"] });
    expect(req.headers).toEqual({ host: "x" });
    expect(req.rawHeaders).toEqual(["Host", "x"]);
  }
});

test("from any other socket they are taken away, whatever X-Forwarded-For says", () => {
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "11.0.0.1", "2001:db9::1", undefined]) {
    const req = makeRequest(address, [ADA, ["X-Forwarded-For", "10.1.2.3"], ["remote_user", "ada"]]);
    expect(read(req)).toBeNull();
    expect(req.rawHeaders).toEqual(["X-Forwarded-For", "10.1.2.3"]);
    expect(req.headers).toEqual({ "x-forwarded-for": "10.1.2.3" });
  }
});

test("a header that is there twice names nobody, in whatever letters", () => {
  expect(read(makeRequest("10.1.2.3", [ADA, ["remote-user", "eve"]]))).toBeNull();
  expect(read(makeRequest("10.1.2.3", [ADA, ["REMOTE-USER", "ada"]]))).toBeNull();
  expect(read(makeRequest("10.1.2.3", [ADA, ["Remote-Groups", "dev"], ["remote-GROUPS", "admins"]]))).toBeNull();
  expect(read(makeRequest("10.1.2.3", [["Remote-User", "ada, eve"]]))).toBeNull();
});

test("a variant with underscores is taken away and never read", () => {
  const req = makeRequest("10.1.2.3", [["Remote_User", "eve"], ["remote_groups", "admins"], ADA]);
  expect(read(req)).toEqual({ user: "ada", email: null, name: null, groups: [] });
  expect([req.headers, req.rawHeaders]).toEqual([{}, []]);
  expect(read(makeRequest("10.1.2.3", [["Remote_User", "eve"]]))).toBeNull();
});

test("people whose names come in Latin-1 are told from each other", () => {
  const userOf = (value: string) => read(makeRequest("10.1.2.3", [["Remote-User", value]]))?.user;
  expect([userOf("m\u00fcller"), userOf("m\u00f6ller")]).toEqual(["müller", "möller"]);
});

test("addresses and ranges are told from other texts", () => {
  expect(parseAddressRange("127.0.0.1")).toEqual({ network: "127.0.0.1", prefix: 32, version: 4 });
  expect(parseAddressRange("fd00::/8")).toEqual({ network: "fd00::", prefix: 8, version: 6 });
  for (const text of ["", "proxy", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/8/9", "10.0.0.0/-1"])
    expect(parseAddressRange(text)).toBeNull();
});
