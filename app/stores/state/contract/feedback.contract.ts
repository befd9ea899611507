import { expect, test } from "vitest";
import type { AppliedFeedback } from "../../../domain/feedback/feedback.ts";
import { ALWAYS, type Condition } from "../../../domain/search/condition.ts";
import { ANY_TEXT } from "../../../domain/search/search-tree.ts";
import { toCutoffs } from "../../../domain/stored-signal.ts";
import { toItemKey } from "../../events/row-keys.ts";
import type { FeedbackQuery } from "../feedback-store.ts";
import type { State } from "../state.ts";
import {
  apply as applyOccurrences,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

const EVENT = "e".repeat(32);

function said(sequence: number, message: string, change: Partial<AppliedFeedback> = {}): AppliedFeedback {
  return {
    ...{ sequence, itemIndex: 0, projectId: 1, receivedAt: NOON + sequence, source: "feedback", message },
    ...{ eventId: sequence.toString(16).padStart(32, "0"), aboutEventId: null, traceId: null, replayId: null },
    ...{ name: null, email: null, url: null, environment: null, release: null, browser: null },
    ...{ textHash: null, sender: null },
    ...change,
  };
}

async function apply(store: State, ...feedback: AppliedFeedback[]): Promise<void> {
  const upTo = Math.max(...feedback.map(({ sequence }) => sequence + 1));
  await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences: [], outcomes: [], feedback });
}

const ALL: FeedbackQuery = { status: null, where: ALWAYS, before: null, limit: 25 };
const list = async (store: State, change: Partial<FeedbackQuery> = {}, scope = EVERYTHING) =>
  (await store.feedback.listFeedback(scope, { ...ALL, ...change })).feedback;
const messages = async (...of: Parameters<typeof list>) => (await list(...of)).map(({ message }) => message);
const where = (field: string, test: Extract<Condition, { kind: "test" }>["test"]): Condition => ({
  ...{ kind: "test", field, isTag: false, isNegated: false, test },
});
const BY = { userId: null, at: NOON + 100 };

export function describeFeedback(createDatabase: CreateStateDatabase): void {
  test("what users said is news once, unless it is spam, and can be read while it is there", async () => {
    await using store = await openStore(createDatabase);
    await store.outbox.addReader("reader");
    await apply(store, said(1, "one", { name: "Sam", release: "shop@1", url: "https://shop.example/" }));
    await apply(store, said(1, "one"), said(2, "two", { textHash: "same" }));
    const entries = await store.outbox.readOutbox("reader", 10);
    expect(entries).toMatchObject([
      { transition: "feedback", projectId: 1, issueId: 0, eventId: "", release: "shop@1", told: null },
      { transition: "feedback", at: NOON + 2 },
    ]);
    const [first = 0, second = 0] = entries.map(({ feedbackId }) => feedbackId);
    expect(await store.feedbackLinks.readNews(first)).toEqual({
      ...{ id: first, projectId: 1, message: "one", name: "Sam", email: null, url: "https://shop.example/" },
    });
    await store.feedback.changeFeedback(EVERYTHING, { ids: [second], status: "spam", ...BY });
    expect(await store.feedbackLinks.readNews(second)).toBeNull();
    // The same text is spam from then on, and no news.
    await apply(store, said(3, "two", { textHash: "same" }));
    expect(await messages(store, { status: "spam" })).toEqual(["two", "two"]);
    expect(await store.outbox.readOutbox("reader", 10)).toHaveLength(2);
  });

  test("what users said is listed newest first, page by page, within the scope", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      said(1, "one", { email: "sam@shop.example" }),
      said(2, "two", { projectId: 2 }),
      said(3, "three"),
    );
    // A batch that is read again brings nothing twice.
    await apply(store, said(3, "three"));
    expect(await messages(store)).toEqual(["three", "two", "one"]);
    expect(await messages(store, {}, scopeOf(1))).toEqual(["three", "one"]);
    const first = await store.feedback.listFeedback(EVERYTHING, { ...ALL, limit: 2 });
    expect(first.feedback.map(({ message }) => message)).toEqual(["three", "two"]);
    const next = await store.feedback.listFeedback(EVERYTHING, { ...ALL, limit: 2, before: first.nextBefore });
    expect(next).toMatchObject({
      feedback: [{ message: "one", status: "unresolved", isRead: false }],
      nextBefore: null,
    });
    expect(await store.feedback.getFeedback(scopeOf(2), next.feedback[0]?.id ?? 0)).toBeNull();
    expect(await store.feedback.countFeedback(scopeOf(1))).toMatchObject({ unresolved: { total: 2, unread: 2 } });
  });

  test("it is searched by its words and fields", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      said(1, "The 100% CART\nis empty", { email: "Sam@shop.example", browser: "Firefox 140" }),
      said(2, "Slow", { url: "https://shop.example/cart", environment: "production" }),
    );
    const part = (words: string) => where("text", { kind: "like", parts: [ANY_TEXT, words, ANY_TEXT] });
    expect(await messages(store, { where: part("cart") })).toHaveLength(2);
    expect(await messages(store, { where: part("100%") })).toHaveLength(1);
    expect(await messages(store, { where: where("environment", { kind: "in", values: ["production"] }) })).toEqual([
      "Slow",
    ]);
    expect(await messages(store, { where: where("browser", { kind: "exists" }) })).toHaveLength(1);
    expect(await messages(store, { where: where("isRead", { kind: "compare", sign: "=", value: 1 }) })).toEqual([]);
    expect(await messages(store, { where: where("projectId", { kind: "in", values: ["1"] }) })).toHaveLength(2);
  });

  test("it is found by the id that it was sent under, within the scope", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, said(1, "before", { eventId: EVENT }), said(2, "found", { eventId: EVENT }), said(3, "after"));
    const { getFeedbackByEvent } = store.feedback;
    expect(await getFeedbackByEvent(EVERYTHING, EVENT)).toMatchObject({ message: "found", eventId: EVENT });
    expect(await getFeedbackByEvent(EVERYTHING, "f".repeat(32))).toBeNull();
    expect(await getFeedbackByEvent(scopeOf(99), EVENT)).toBeNull();
  });

  test("a change says what was before, and can be taken back", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, said(1, "one"), said(2, "two", { projectId: 2 }));
    const [two, one] = (await list(store)).map(({ id }) => id) as [number, number];
    const { previous } = await store.feedback.changeFeedback(scopeOf(1), {
      ids: [one, two, 99],
      status: "resolved",
      ...BY,
    });
    expect(previous).toEqual([{ id: one, status: "unresolved", isRead: false, assignee: null }]);
    expect(await list(store, { status: "resolved" })).toMatchObject([{ id: one, isRead: true, changedAt: BY.at }]);
    expect(await messages(store, { status: "unresolved" })).toEqual(["two"]);
    // What changes nothing is no change.
    const again = await store.feedback.changeFeedback(EVERYTHING, { ids: [one], status: "resolved", ...BY });
    expect(again.previous).toEqual([]);
    await store.feedback.restoreFeedback(scopeOf(2), previous, BY);
    expect(await messages(store, { status: "resolved" })).toEqual(["one"]);
    await store.feedback.restoreFeedback(EVERYTHING, previous, BY);
    expect(await list(store, { status: "unresolved" })).toMatchObject([{ id: two }, { id: one, isRead: false }]);
  });

  test("somebody who sees the project can be assigned, nobody else", async () => {
    await using store = await openStore(createDatabase);
    const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
    await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
    const web = await createProject(store, "web");
    const account = { email: "lin@example.com", name: "Lin", passwordHash: "x", role: "member" } as const;
    const lin = await store.people.createMember({ ...account, teamIds: [], projectIds: [], at: NOON });
    await apply(store, said(1, "one", { projectId: web }));
    const id = (await list(store))[0]?.id ?? 0;
    const assign = (userId: number) =>
      store.feedback.changeFeedback(EVERYTHING, { ids: [id], assignee: { kind: "user", id: userId }, ...BY });
    expect(await assign(lin)).toEqual({ previous: [], refusedIds: [id] });
    expect((await assign(1)).previous).toMatchObject([{ id, assignee: null }]);
    expect(await list(store)).toMatchObject([{ assignee: { kind: "user", name: "Ada" } }]);
    expect(await messages(store, { where: where("assignee", { kind: "exists" }) })).toEqual(["one"]);
  });

  test("the same text of many senders goes to spam by itself, and people decide in the end", async () => {
    await using store = await openStore(createDatabase);
    const ad = (sequence: number, change: Partial<AppliedFeedback> = {}) =>
      said(sequence, "Buy cheap watches", { textHash: "a".repeat(32), sender: `sender ${sequence}`, ...change });
    // One sender may say the same often.
    await apply(store, ...[0, 1, 2, 3, 4].map((sequence) => ad(sequence, { sender: "one" })));
    await apply(store, ad(5), ad(6), ad(7), ad(8, { projectId: 2 }), ad(9));
    expect(await list(store, { status: "spam" })).toMatchObject([{ spamReason: "many_senders" }]);
    const [spam] = await list(store, { status: "spam" });
    await store.feedback.changeFeedback(EVERYTHING, { ids: [spam?.id ?? 0], status: "unresolved", ...BY });
    await apply(store, ad(10));
    expect(await messages(store, { status: "spam" })).toEqual([]);
    await apply(store, said(11, "Please read this", { textHash: "b".repeat(32), sender: "x" }));
    const [latest] = await list(store);
    await store.feedback.changeFeedback(EVERYTHING, { ids: [latest?.id ?? 0], status: "spam", ...BY });
    await apply(store, said(12, "Please read this!", { textHash: "b".repeat(32), sender: "y" }));
    expect(await list(store, { status: "spam" })).toMatchObject([{ spamReason: "known_text" }, { spamReason: "hand" }]);
  });

  test("of the reports of an event the newest counts", async () => {
    await using store = await openStore(createDatabase);
    const report = { source: "report", aboutEventId: EVENT } as const;
    await apply(store, said(1, "first", report), said(2, "about another", { ...report, aboutEventId: "f".repeat(32) }));
    await apply(store, said(3, "second", report), said(4, "from the widget", { aboutEventId: EVENT }));
    expect(await messages(store)).toEqual(["from the widget", "second", "about another"]);
    const about = await store.feedback.listFeedbackAbout(EVERYTHING, { projectId: 1, eventId: EVENT }, 1);
    expect(about).toMatchObject({ count: 2, feedback: [{ message: "from the widget" }] });
  });

  test("its issue is known once its event is, and stays with it after a merge", async () => {
    await using store = await openStore(createDatabase);
    const web = await createProject(store, "web");
    const [a, b] = await applyOccurrences(store, [
      occurrence(0, "a", { projectId: web }),
      occurrence(1, "b", { projectId: web }),
    ]);
    const [target, source] = [a?.issueId ?? 0, b?.issueId ?? 0];
    await apply(store, said(5, "one", { projectId: web, aboutEventId: EVENT, release: "shop@2" }), said(6, "two"));
    const query = { since: NOON, afterId: 0, limit: 10 };
    const [open, ...others] = await store.feedbackLinks.listUnlinked(query);
    expect(open).toMatchObject({ projectId: web, aboutEventId: EVENT });
    expect(others).toEqual([]);
    const link = {
      id: open?.id ?? 0,
      issueId: source,
      traceId: "d".repeat(32),
      environment: "staging",
      release: "shop@1",
    };
    await store.feedbackLinks.linkFeedback([link]);
    expect(await store.feedbackLinks.listUnlinked(query)).toEqual([]);
    expect(await list(store)).toMatchObject([{}, { issueId: source, environment: "staging", release: "shop@2" }]);
    const by = { name: null, userId: null, at: NOON };
    await store.issueMerges.mergeIssues(EVERYTHING, { targetId: target, issueIds: [source], ...by });
    expect(await list(store)).toMatchObject([{}, { issueId: target }]);
    expect(await store.feedback.listFeedbackAbout(EVERYTHING, { issueId: target }, 5)).toMatchObject({ count: 1 });
    expect(await store.feedback.listFeedbackAbout(scopeOf(99), { issueId: target }, 5)).toMatchObject({ count: 0 });
  });

  test("it goes with what is deleted and what expires", async () => {
    await using store = await openStore(createDatabase);
    const web = await createProject(store, "web");
    const of = { projectId: web };
    await apply(
      store,
      said(1, "by mail", { ...of, email: "Sam@Shop.example" }),
      said(2, "by item", of),
      said(3, "with an event", { ...of, eventId: EVENT }),
      said(4, "a report", { ...of, source: "report", aboutEventId: "f".repeat(32), eventId: null }),
      said(5, "stays", of),
    );
    const user = { field: "email", value: "sam@shop.example" } as const;
    const deletionId = await store.deletions.deleteUser(scopeOf(web), {
      user,
      label: "1 project",
      userId: null,
      at: NOON + 9,
    });
    expect(await messages(store)).not.toContain("by mail");
    const key = toItemKey({ sequence: 2, itemIndex: 0, receivedAt: NOON + 2 });
    const row = { category: "feedback", quantity: 1, identity: null, receivedAt: NOON + 2, projectId: web };
    await store.deletionWork.noteItems(deletionId, [{ ...row, key }]);
    await store.deletionWork.noteEvents(deletionId, [{ projectId: web, eventId: EVENT, occurrence: null, items: [] }]);
    expect(await messages(store)).toEqual(["stays", "a report"]);
    const counts = { counts: [], cutoffs: toCutoffs((signal) => (signal === "errors" ? NOON + 5 : 0)) };
    await store.expirations.noteExpired(counts);
    expect(await messages(store)).toEqual(["stays"]);
    await store.expirations.noteExpired({ ...counts, cutoffs: toCutoffs(() => NOON + 60) });
    expect(await messages(store)).toEqual([]);
  });

  test("feedback from before the inbox is listed below all others, as read, once, and tells nobody", async () => {
    await using store = await openStore(createDatabase);
    await store.outbox.addReader("reader");
    await createProject(store, "web");
    const report = { source: "report", aboutEventId: EVENT } as const;
    await apply(store, said(10, "now"), said(11, "my newest report", report));
    await store.outbox.passOutbox("reader", Number.MAX_SAFE_INTEGER);
    const link = { issueId: 7, traceId: "t", environment: "production", release: "shop@1" };
    const earlier = [
      { ...said(11, "my newest report", report), link: null },
      { ...said(9, "an older report", report), link: null },
      { ...said(8, "before", { aboutEventId: EVENT }), link },
      { ...said(7, "of a deleted project", { projectId: 99 }), link: null },
    ];
    expect(await store.earlierFeedback.listEarlier(earlier)).toBe(1);
    expect(await store.earlierFeedback.listEarlier([...earlier, { ...said(5, "long before"), link: null }])).toBe(1);
    expect(await messages(store)).toEqual(["my newest report", "now", "before", "long before"]);
    const [, , before, longBefore] = await list(store);
    expect(before).toMatchObject({ isRead: true, status: "unresolved", traceId: "t", release: "shop@1" });
    expect(await messages(store, { before: before?.id ?? 0 })).toEqual(["long before"]);
    const changed = await store.feedback.changeFeedback(EVERYTHING, {
      ...BY,
      ids: [longBefore?.id ?? 0],
      status: "spam",
    });
    expect(changed.previous).toMatchObject([{ id: longBefore?.id, status: "unresolved" }]);
    expect(await store.outbox.readOutbox("reader", 10)).toEqual([]);
    await apply(store, said(12, "after"));
    expect((await messages(store))[0]).toBe("after");
  });

  test("a new folder has no feedback from before the inbox, and what is listed once is not looked for again", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.earlierFeedback.isListed()).toBe(true);
    await store.earlierFeedback.noteListed();
    expect(await store.earlierFeedback.isListed()).toBe(true);
  });
}
