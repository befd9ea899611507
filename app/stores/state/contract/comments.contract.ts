import { expect, test } from "vitest";
import { MAX_COMMENTS } from "../../../domain/issues/comment.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
} from "./fixture.ts";

/** Ada owns everything; Grace sees the project `web`, Barbara only `api`. An issue of `web`. */
async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase, { now: () => NOON });
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  const web = await createProject(store, "web");
  const api = await createProject(store, "api");
  const addMember = (name: string, projectId: number) =>
    store.people.createMember({
      ...{ email: `${name}@example.com`, name, passwordHash: "x", role: "member", at: NOON },
      ...{ teamIds: [], projectIds: [projectId] },
    });
  const grace = await addMember("grace", web);
  const barbara = await addMember("barbara", api);
  const [assigned] = await apply(store, [occurrence(0, "a", { projectId: web })]);
  await store.outbox.addReader("test");
  const told = async () =>
    (await store.outbox.readOutbox("test", 50)).flatMap(({ transition, told }) =>
      (told?.userIds ?? []).map((id) => `${transition} ${id}`),
    );
  const issueId = assigned?.issueId ?? 0;
  return { ...store, web, api, grace, barbara, issueId, told };
}

export function describeComments(createDatabase: CreateStateDatabase): void {
  test("a comment stands in the activity; only its writer changes and deletes it", async () => {
    await using of = await open(createDatabase);
    const { comments, issueId, grace, api } = of;
    const added = await comments.addComment(EVERYTHING, {
      issueId,
      text: "Look",
      mentions: [],
      userId: 1,
      at: NOON + 1,
    });
    if (!added.ok) throw new Error(added.reason);
    const commentId = added.comment.id;
    expect(added.comment).toEqual({
      ...{ id: commentId, issueId, text: "Look", at: NOON + 1, editedAt: null },
      user: { id: 1, name: "Ada" },
    });
    expect((await of.issues.listActivity(EVERYTHING, issueId))[0]).toMatchObject({
      kind: "commented",
      data: { text: "Look" },
    });
    expect(await comments.getComment(EVERYTHING, { issueId, commentId })).toEqual(added.comment);
    expect(await comments.getComment(scopeOf(api), { issueId, commentId })).toBe(null);
    const change = { issueId, commentId, text: "Look here", mentions: [], at: NOON + 2 };
    expect(await comments.changeComment(EVERYTHING, { ...change, userId: grace })).toEqual({
      ok: false,
      reason: "not-own",
    });
    expect(await comments.changeComment(scopeOf(api), { ...change, userId: 1 })).toEqual({
      ok: false,
      reason: "not-found",
    });
    expect(await comments.changeComment(EVERYTHING, { ...change, userId: 1 })).toMatchObject({
      ok: true,
      comment: { text: "Look here", editedAt: NOON + 2 },
    });
    expect(await comments.countComments(EVERYTHING, [issueId])).toEqual(new Map([[issueId, 1]]));
    expect(await comments.listComments(scopeOf(api), issueId, 10)).toEqual([]);
    expect(await comments.deleteComment(EVERYTHING, { issueId, commentId, userId: grace })).toEqual({
      ok: false,
      reason: "not-own",
    });
    expect(await comments.deleteComment(EVERYTHING, { issueId, commentId, userId: 1 })).toMatchObject({ ok: true });
    expect(await comments.listComments(EVERYTHING, issueId, 10)).toEqual([]);
  });

  test("who is mentioned or subscribed is told once; not the writer, nobody without the project, nobody who does not want to", async () => {
    await using of = await open(createDatabase);
    const { comments, issueId, grace, barbara, told } = of;
    const mentions = [grace, barbara].map((id) => ({ kind: "user" as const, id }));
    await comments.addComment(EVERYTHING, { issueId, text: "@grace", mentions, userId: 1, at: NOON });
    expect(await told()).toEqual([`mentioned ${grace}`]);
    await comments.addComment(EVERYTHING, { issueId, text: "Yes", mentions: [], userId: grace, at: NOON });
    expect((await told()).slice(1)).toEqual(["commented 1"]);
    await comments.changeReader(EVERYTHING, { issueIds: [issueId], userId: 1, at: NOON, isSubscribed: false });
    await comments.addComment(EVERYTHING, { issueId, text: "And", mentions: [], userId: grace, at: NOON });
    await comments.addComment(EVERYTHING, { issueId, text: "Quiet", mentions, userId: 1, at: NOON, isQuiet: true });
    expect((await told()).slice(2)).toEqual([]);
    // Writing again does not subscribe somebody who does not want to be.
    expect((await comments.listReaders(EVERYTHING, 1, [issueId])).get(issueId)?.subscription).toBeNull();
  });

  test("subscriptions say why; bookmarks and looks are each person's own", async () => {
    await using of = await open(createDatabase);
    const { comments, triage, issueId, grace, barbara, api } = of;
    const readerOf = async (userId: number) => (await comments.listReaders(EVERYTHING, userId, [issueId])).get(issueId);
    expect(await readerOf(grace)).toBeUndefined();
    await triage.changeTriage(EVERYTHING, {
      issueIds: [issueId],
      assignee: { kind: "user", id: grace },
      userId: 1,
      at: NOON,
    });
    const mine = { issueIds: [issueId], userId: grace };
    await comments.changeReader(EVERYTHING, {
      ...mine,
      at: NOON + 7,
      hasSeen: true,
      isBookmarked: true,
      isSubscribed: true,
    });
    expect(await readerOf(grace)).toEqual({
      subscription: "assigned",
      isUnsubscribed: false,
      isBookmarked: true,
      seenAt: NOON + 7,
      snoozedUntil: null,
    });
    await comments.changeReader(EVERYTHING, { ...mine, at: NOON + 8, isSubscribed: false, isBookmarked: false });
    await comments.changeReader(EVERYTHING, { ...mine, at: NOON + 9, isSubscribed: true });
    expect(await readerOf(grace)).toMatchObject({ subscription: "chosen", isBookmarked: false, seenAt: NOON + 7 });
    await comments.changeReader(EVERYTHING, { ...mine, at: NOON + 9, subscription: "off" });
    expect(await readerOf(grace)).toMatchObject({ subscription: null, isUnsubscribed: true });
    await comments.changeReader(EVERYTHING, { ...mine, at: NOON + 9, subscription: "mentioned" });
    expect(await readerOf(grace)).toMatchObject({ subscription: "mentioned", isUnsubscribed: false });
    await comments.changeReader(EVERYTHING, { issueIds: [issueId], userId: 1, at: NOON + 9, hasSeen: true });
    await comments.changeReader(EVERYTHING, { issueIds: [issueId], userId: barbara, at: NOON + 9, hasSeen: true });
    expect((await comments.listSeenBy(EVERYTHING, issueId, 10)).map(({ name }) => name)).toEqual(["Ada", "grace"]);
    await comments.changeReader(scopeOf(api), { ...mine, at: NOON, hasSeen: false });
    expect((await readerOf(grace))?.seenAt).toBe(NOON + 7);
  });

  test("a snooze is one person's own, and over at its end; a search finds it for that person alone", async () => {
    await using of = await open(createDatabase);
    const { issues, comments, issueId, grace, barbara, api } = of;
    const until = NOON + 100;
    const snooze = (snoozedUntil: number | null, scope = EVERYTHING) =>
      comments.changeReader(scope, { issueIds: [issueId], userId: grace, at: NOON, snoozedUntil });
    const find = async (userId: number, isNegated: boolean) => {
      const test = { kind: "in", values: [String(userId)] } as const;
      const where = { kind: "test", field: "snoozed", isTag: false, isNegated, test } as const;
      return (await issues.listIssues(...query({ where }))).issues.map(({ id }) => id).includes(issueId);
    };
    await snooze(until, scopeOf(api));
    expect(await comments.hasSnoozes(grace, NOON)).toBe(false);
    await snooze(until);
    expect((await comments.listReaders(EVERYTHING, grace, [issueId])).get(issueId)?.snoozedUntil).toBe(until);
    expect([await comments.hasSnoozes(grace, until - 1), await comments.hasSnoozes(grace, until)]).toEqual([
      true,
      false,
    ]);
    expect(await comments.hasSnoozes(barbara, NOON)).toBe(false);
    const snoozers = await comments.listSnoozers(EVERYTHING, [issueId], NOON);
    expect(snoozers).toEqual([{ issueId, userId: grace, email: "grace@example.com" }]);
    expect(await comments.listSnoozers(EVERYTHING, [issueId], until)).toEqual([]);
    expect(await comments.listSnoozers(scopeOf(api), [issueId], NOON)).toEqual([]);
    expect([await find(grace, false), await find(grace, true)]).toEqual([true, false]);
    expect([await find(barbara, false), await find(barbara, true)]).toEqual([false, true]);
    await snooze(null);
    expect([await find(grace, false), await comments.hasSnoozes(grace, NOON)]).toEqual([false, false]);
  });

  test("an issue has a bounded number of comments", async () => {
    await using of = await open(createDatabase);
    const { comments, issueId } = of;
    const add = (text: string) => comments.addComment(EVERYTHING, { issueId, text, mentions: [], userId: 1, at: NOON });
    for (let index = 0; index < MAX_COMMENTS; index++) await add(String(index));
    expect(await add("more")).toEqual({ ok: false, reason: "too-many" });
  });
}
