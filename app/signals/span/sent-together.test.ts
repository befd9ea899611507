import { expect, test } from "vitest";
import type { ArrivedItem } from "../signal.ts";
import { toResource } from "./sent-together.ts";

function arrived(packageCount: number): ArrivedItem {
  const packages = Array.from({ length: packageCount }, (_, at) => ({
    name: `npm:@acme/package-${at}`,
    version: "1.0",
  }));
  const entry = { clientAddress: "192.0.2.1", userAgent: "node" } as ArrivedItem["entry"];
  return {
    envelopeHeader: { sdk: { name: "sentry.javascript.node", version: "10.1.0", packages } },
    entry,
  } as Partial<ArrivedItem> as ArrivedItem;
}

const packagesOf = (resource: string) => JSON.parse(resource).sdk.packages?.length;

test("rows of a container say what the SDK lists of its packages, unless it is long for so many rows", () => {
  expect(packagesOf(toResource(arrived(20), { version: 2 }, 100))).toBe(20);
  expect(packagesOf(toResource(arrived(60), { version: 2 }, 1))).toBeUndefined();
  expect(packagesOf(toResource(arrived(2), {}, 10_000))).toBe(2);
  const short = toResource(arrived(20), { version: 2 }, 10_000);
  expect(JSON.parse(short)).toEqual({
    sdk: { name: "sentry.javascript.node", version: "10.1.0" },
    request: { clientAddress: "192.0.2.1", userAgent: "node" },
  });
});
