import { expect, test } from "vitest";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { sayMissingTrace } from "./say-missing-trace.ts";

type Facts = Parameters<typeof sayMissingTrace>[0];

function say(signalDays: Facts["settings"]["retention"]["signalDays"], seesEverything = true): string {
  return sayMissingTrace({ settings: { retention: { signalDays } }, seesEverything });
}

test("a trace that is not there may never have come, or be deleted by somebody or after the days it is kept", () => {
  const words = say(toCutoffs(() => 90));
  expect(words).toContain("may never have arrived");
  expect(words).toContain("somebody may have deleted it, and spans are deleted after 90 days.");
});

test("spans of transactions may be kept for other days", () => {
  const words = say({ ...toCutoffs(() => 90), spans: 1, transactions: 14 });
  expect(words).toContain("spans are deleted after a day, and those of transactions after 14 days.");
});

test("somebody who does not have every project may just not see it", () => {
  expect(say(toCutoffs(() => 90))).not.toContain("do not see");
  expect(
    say(
      toCutoffs(() => 90),
      false,
    ),
  ).toContain("Or it is of projects that you do not see.");
});
