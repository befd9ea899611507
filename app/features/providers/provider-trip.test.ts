import { expect, test } from "vitest";
import { type ProviderTrip, readTrip, writeTrip } from "./provider-trip.ts";

const trip: ProviderTrip = { providerId: 3, mode: "silent", to: "/issues?query=is%3Aunresolved&page=2", userId: null };

test.each<ProviderTrip>([trip, { ...trip, mode: "connect", userId: 7 }])(
  "what is written is read again: %o",
  (each) => {
    expect(readTrip(writeTrip(each))).toEqual(each);
  },
);

test("what better-auth adds to say why it failed changes nothing of the trip", () => {
  const url = new URL(writeTrip(trip));
  url.searchParams.append("error", "access_denied");
  url.searchParams.append("mode", "test");
  expect(readTrip(url.href)).toEqual(trip);
});

test("a page whose address is too long for a cookie is forgotten", () => {
  expect(readTrip(writeTrip({ ...trip, to: `/issues?query=${"x".repeat(1_000)}` }))).toEqual({
    ...trip,
    to: "/issues",
  });
});

test.each(["", "/issues", "http://localhost/api/auth/error?error=state_mismatch", "http://trip.invalid/?mode=owner"])(
  "what is no trip is none: %s",
  (text) => {
    expect(readTrip(text)).toBeNull();
  },
);
