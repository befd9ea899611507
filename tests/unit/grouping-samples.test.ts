import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../app/domain/event.ts";
import { explainGrouping } from "../../app/features/issues/explain-grouping.ts";
import { groupEvent } from "../../app/grouping/group-event.ts";
import { normalizeEvent } from "../../app/normalize/normalize-event.ts";

const folder = join(import.meta.dirname, "../../../shared/samples/events");
const isPresent = existsSync(folder);
const files = isPresent ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];

test.skipIf(isPresent)("the samples in ../shared are not there: skipped", () => {});

describe.skipIf(!isPresent)("a sample of a real event", () => {
  test.each(files)("%s has a title, a key and an explanation", (file) => {
    const event = readEvent(file);
    const grouping = groupEvent(event);
    expect(grouping.title).not.toBe("");
    expect(grouping.title).not.toBe("<unlabeled event>");
    expect(grouping.hashes.length).toBeGreaterThan(0);
    for (const hash of grouping.hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(grouping.explanation.hash).toBe(grouping.hashes[0]);
    expect(grouping.explanation.basis).not.toBe("fallback");
    expect(grouping.explanation.contributions.length).toBeGreaterThan(0);
    expect(explainGrouping(grouping.explanation, event).sentence).toMatch(/^Grouped by .+\.$/);
    // Again, from the JSON that is stored: nothing hangs on the object that was normalised.
    expect(groupEvent(JSON.parse(JSON.stringify(event)))).toEqual(grouping);
  });

  test.each(files)("%s has a culprit, where anything in it says where", (file) => {
    const event = readEvent(file);
    const saysWhere =
      event.transaction !== undefined ||
      (event.exception?.values ?? []).some(({ stacktrace }) =>
        stacktrace?.frames.some((frame) => frame.function !== undefined),
      );
    expect(groupEvent(event).culprit !== "").toBe(saysWhere);
  });

  test("two files are one issue only where one template of one program wrote them", () => {
    const filesByHash = new Map<string, string[]>();
    for (const file of files) {
      const [hash = ""] = groupEvent(readEvent(file)).hashes;
      filesByHash.set(hash, [...(filesByHash.get(hash) ?? []), file]);
    }
    expect([...filesByHash.values()].filter((same) => same.length > 1)).toEqual([
      ["111.json", "130.json"],
      // Who published them gave all functions of the application one name.
      ["sentry-group_389_event_389.json", "sentry-mobile1-xap.json"],
    ]);
  });
});

function readEvent(file: string): SentryEvent {
  return normalizeEvent(JSON.parse(readFileSync(join(folder, file), "utf8")), {
    eventId: "0".repeat(32),
    receivedAt: 1_767_323_046_000,
    sentAt: null,
    clientAddress: null,
    userAgent: null,
    sdk: null,
    trace: null,
  });
}
