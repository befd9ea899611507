import { expect, test } from "vitest";
import { NO_FILTERS } from "../../../domain/filters/filter-settings.ts";
import { DEFAULT_PRIVACY } from "../../../domain/privacy/privacy-settings.ts";
import { type FilteredEvent, keyOfFiltered } from "../batch-store.ts";
import { type CreateStateDatabase, createProject, JOURNAL, NOON, openStore, scopeOf } from "./fixture.ts";

const DAY = 86_400_000;

function filtered(sequence: number, change: Partial<FilteredEvent> = {}): FilteredEvent {
  return {
    sequence,
    projectId: 1,
    receivedAt: NOON,
    eventId: sequence.toString(16).padStart(32, "0"),
    reason: "localhost",
    example: { title: `Error ${sequence}`, payload: `{"event":${sequence}}` },
    ...change,
  };
}

/** What projects take in, and examples of what they do not. */
export function describeRules(createDatabase: CreateStateDatabase): void {
  test("rules are there from the start, change alone, and a change is seen by the version", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    const scope = scopeOf(projectId);
    const { rules, ruleIndex } = store;
    expect((await rules.getRules(scope, projectId))?.filters).toEqual(NO_FILTERS);
    expect([...(await ruleIndex.listRules()).keys()]).toEqual([]);
    const before = await ruleIndex.version();
    expect(await rules.saveRules(scope, projectId, "filters", { ...NO_FILTERS, releases: ["shop@1.*"] })).toBe(true);
    expect((await rules.getRules(scope, projectId))?.filters.releases).toEqual(["shop@1.*"]);
    expect((await ruleIndex.listRules()).get(projectId)?.filters.releases).toEqual(["shop@1.*"]);
    expect(await ruleIndex.version()).toBeGreaterThan(before);
  });

  test("parts of the rules change alone", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    const scope = scopeOf(projectId);
    const { rules } = store;
    await rules.saveRules(scope, projectId, "filters", { ...NO_FILTERS, releases: ["shop@1.*"] });
    expect((await rules.getRules(scope, projectId))?.privacy).toEqual(DEFAULT_PRIVACY);
    const privacy = { ...DEFAULT_PRIVACY, dropsAddresses: true, sensitiveKeys: ["iban"] };
    expect(await rules.saveRules(scope, projectId, "privacy", privacy)).toBe(true);
    const saved = await rules.getRules(scope, projectId);
    expect([saved?.privacy, saved?.filters.releases]).toEqual([privacy, ["shop@1.*"]]);
    expect((await store.ruleIndex.listRules()).get(projectId)?.privacy).toEqual(privacy);
  });

  test("rules of a project outside of the scope are neither read nor changed", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    const { rules } = store;
    expect(await rules.getRules(scopeOf(projectId + 1), projectId)).toBeNull();
    expect(await rules.saveRules(scopeOf(projectId + 1), projectId, "filters", NO_FILTERS)).toBe(false);
    expect(await rules.getRules(scopeOf(99), 99)).toBeNull();
  });

  test("the latest example of each filter is kept until it is a day old", async () => {
    await using store = await openStore(createDatabase);
    const scope = scopeOf(1);
    const batch = { journalId: JOURNAL, occurrences: [], outcomes: [] };
    await store.batches.applyBatch({
      ...batch,
      upTo: 3,
      filtered: [filtered(0), filtered(1), filtered(2, { reason: "web-crawlers", example: null })],
    });
    const since = NOON - DAY;
    const listed = await store.rules.listExamples(scope, { projectId: 1, since });
    expect(listed.map(({ reason, title }) => [reason, title])).toEqual([["localhost", "Error 1"]]);
    const query = { projectId: 1, reason: "localhost", since };
    expect((await store.rules.getExample(scope, query))?.payload).toBe('{"event":1}');
    expect(await store.rules.getExample(scope, { ...query, reason: "web-crawlers" })).toBeNull();
    expect(await store.rules.getExample(scopeOf(2), query)).toBeNull();
    expect(await store.rules.getExample(scope, { ...query, since: NOON + 1 })).toBeNull();
    // A batch that comes again changes nothing.
    await store.batches.applyBatch({
      ...batch,
      upTo: 3,
      filtered: [filtered(0, { example: { title: "Other", payload: "{}" } })],
    });
    expect((await store.rules.getExample(scope, query))?.title).toBe("Error 1");
    expect(await store.expirations.dropOldExamples(NOON + DAY)).toBe(0);
    expect(await store.expirations.dropOldExamples(NOON + DAY + 1)).toBe(1);
  });

  test("what the last batch of a journal left out is known until the next one", async () => {
    await using store = await openStore(createDatabase);
    const { batches } = store;
    const batch = { journalId: JOURNAL, occurrences: [], outcomes: [] };
    await batches.applyBatch({ ...batch, upTo: 2, filtered: [filtered(1)] });
    expect([...(await batches.listLastFiltered(JOURNAL))]).toEqual([`1 ${"1".padStart(32, "0")}`]);
    expect([...(await batches.listLastFiltered("ffffffffffffffff"))]).toEqual([]);
    await batches.applyBatch({ ...batch, upTo: 3 });
    expect([...(await batches.listLastFiltered(JOURNAL))]).toEqual([]);
  });

  test("what earlier batches left out is known as long as the event store may lack it", async () => {
    await using store = await openStore(createDatabase);
    const { batches } = store;
    const batch = { journalId: JOURNAL, occurrences: [], outcomes: [] };
    const keyOf = (sequence: number) => keyOfFiltered(filtered(sequence));
    await batches.applyBatch({ ...batch, upTo: 9, filtered: [filtered(8)] });
    await batches.applyBatch({ ...batch, upTo: 11, storedUpTo: 8, filtered: [filtered(10)] });
    await batches.applyBatch({ ...batch, upTo: 12, storedUpTo: 9 });
    expect([...(await batches.listLastFiltered(JOURNAL))]).toEqual([keyOf(10)]);
    await batches.applyBatch({ ...batch, upTo: 13, storedUpTo: 11, filtered: [filtered(12)] });
    expect([...(await batches.listLastFiltered(JOURNAL))]).toEqual([keyOf(12)]);
  });

  test("who asks to delete a user deletes the examples of these projects", async () => {
    await using store = await openStore(createDatabase);
    await store.batches.applyBatch({
      journalId: JOURNAL,
      occurrences: [],
      outcomes: [],
      upTo: 2,
      filtered: [filtered(0), filtered(1, { projectId: 2 })],
    });
    await store.deletions.deleteUser(scopeOf(1), {
      user: { field: "id", value: "7" },
      label: "shop",
      userId: null,
      at: NOON,
    });
    const of = (projectId: number) => store.rules.listExamples(scopeOf(projectId), { projectId, since: 0 });
    expect([(await of(1)).length, (await of(2)).length]).toEqual([0, 1]);
  });
}
