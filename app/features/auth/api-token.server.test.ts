import { expect, test } from "vitest";
import { mintOrganizationSecret, mintPersonalSecret } from "./api-token.server.ts";

const carrier = { organizationSlug: "acme", rootUrl: "https://errors.example.com", at: 1_735_787_040_100 };

test("an organization's token carries its URL and organization, in three parts that tools can split", () => {
  const [prefix, carried = "", chance = "", ...rest] = mintOrganizationSecret(carrier).split("_");
  expect(prefix).toBe("sntrys");
  expect(rest).toEqual([]);
  expect(JSON.parse(Buffer.from(carried, "base64").toString("utf8"))).toEqual({
    iat: 1_735_787_040.1,
    url: "https://errors.example.com",
    region_url: "https://errors.example.com",
    org: "acme",
  });
  expect(carried).toBe(Buffer.from(carried, "base64").toString("base64"));
  expect(chance).toMatch(/^[A-Za-z0-9+/]{43}$/);
});

test("a personal token is its prefix and 64 hex characters", () => {
  expect(mintPersonalSecret()).toMatch(/^sntryu_[0-9a-f]{64}$/);
});

test("no two are alike", () => {
  expect(mintPersonalSecret()).not.toBe(mintPersonalSecret());
  expect(mintOrganizationSecret(carrier)).not.toBe(mintOrganizationSecret(carrier));
});
