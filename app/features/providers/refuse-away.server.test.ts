import { expect, test } from "vitest";
import type { ProviderStanding } from "../../domain/people/provider-session.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import { DECOY_HASH } from "../auth/password.server.ts";
import { refuseAway } from "./refuse-away.server.ts";

const NOW = 100 * DAY_MS;
const MIA = { id: 7, email: "mia@example.com" } as User;

/** What is said of the tokens of somebody who came last so many days ago; null: they are connected with no provider. */
function ask(daysAgo: number | null, { passwordHash = DECOY_HASH, isRequired = false } = {}) {
  const seenAt = daysAgo === null ? null : NOW - daysAgo * DAY_MS;
  const standing: ProviderStanding = { role: "member", isRequired, seenAt, tokenDays: 14 };
  const parts = {
    people: { findCredentials: async () => ({ userId: MIA.id, passwordHash }) as never },
    providerSignIns: { getStanding: async () => standing },
  };
  return refuseAway(parts, MIA, NOW);
}

test("tokens of somebody without a password work while they come by a provider", async () => {
  expect(await ask(13)).toBeNull();
  expect(await ask(14)).toContain("has not signed in by the organization\u2019s provider for 14 days");
});

test("they do not work where an owner has disconnected their person", async () => {
  expect(await ask(null)).toContain("is connected with no provider");
});

test("tokens of somebody with a password work, unless only owners may use theirs", async () => {
  expect(await ask(null, { passwordHash: "a hash" })).toBeNull();
  expect(await ask(14, { passwordHash: "a hash", isRequired: true })).toContain("for 14 days");
});
