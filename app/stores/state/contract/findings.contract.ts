import { expect, test } from "vitest";
import type { Finding, Recovery, Trouble } from "../../../domain/findings/finding.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore, setStatus } from "./fixture.ts";

const trouble = (subject: string, at = NOON): Trouble => ({
  kind: "trouble",
  projectId: 1,
  subject,
  at,
  logger: "culprit.test",
  level: "error",
  message: `${subject} is in trouble`,
  environment: null,
  release: null,
  tags: {},
  contexts: {},
});
const recovery = (subject: string, at = NOON + 1): Recovery => ({
  kind: "recovery",
  projectId: 1,
  subject,
  at,
  reason: "it is over",
});

async function subjects({ findings }: State): Promise<string[]> {
  return (await findings.listFindings(10)).map(
    ({ finding }: { finding: Finding }) => `${finding.kind} ${finding.subject}`,
  );
}

export function describeFindings(createDatabase: CreateStateDatabase): void {
  test("findings of one subject come one after another, those of others do not wait", async () => {
    await using store = await openStore(createDatabase);
    await store.findings.addFindings([trouble("a"), recovery("a"), trouble("b"), trouble("a", NOON + 2)]);
    expect(await subjects(store)).toEqual(["trouble a", "trouble b"]);
    const [first] = await store.findings.listFindings(1);
    expect(first?.finding).toEqual(trouble("a"));
    await store.findings.noteReported(first?.position ?? 0, 7);
    expect(await subjects(store)).toEqual(["trouble b"]);
    expect(await store.findings.forgetApplied(7)).toBe(0);
    expect(await store.findings.forgetApplied(8)).toBe(1);
    expect(await subjects(store)).toEqual(["recovery a", "trouble b"]);
    const [second] = await store.findings.listFindings(1);
    expect(await store.findings.endTrouble(second?.position ?? 0, recovery("a"), ["unknown"])).toBeNull();
    expect(await subjects(store)).toEqual(["trouble b", "trouble a"]);
    for (const { position } of await store.findings.listFindings(10)) await store.findings.dropFinding(position);
    expect(await subjects(store)).toEqual([]);
  });

  test("a recovery resolves the issue of its hash once, and only one that is open", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    await store.outbox.addReader("reader");
    const [assignment] = await apply(store, [occurrence(0, "a")]);
    const issueId = assignment?.issueId ?? 0;
    const end = async (hash: string) => {
      await store.findings.addFindings([recovery("a")]);
      const [queued] = await store.findings.listFindings(1);
      return store.findings.endTrouble(queued?.position ?? 0, recovery("a"), ["unknown", hash]);
    };
    expect(await end("other")).toBeNull();
    expect(await end("a")).toEqual({ issueId });
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ status: "resolved" });
    const activity = await store.issues.listActivity(EVERYTHING, issueId);
    expect(activity[0]).toMatchObject({ kind: "resolved", at: NOON + 1, data: { reason: "it is over" } });
    const entries = await store.outbox.readOutbox("reader", 10);
    expect(entries.map(({ transition, eventId }) => ({ transition, eventId: eventId.length }))).toEqual([
      { transition: "new", eventId: 32 },
      { transition: "resolved", eventId: 0 },
    ]);
    expect(await end("a")).toBeNull();
    await setStatus(store, [issueId], "archived", NOON + 2);
    expect(await end("a")).toBeNull();
    // Told again, with a position that is gone.
    expect(await store.findings.endTrouble(1, recovery("a"), ["a"])).toBeNull();
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ status: "archived" });
  });

  test("a subject has a bound", async () => {
    await using store = await openStore(createDatabase);
    await expect(store.findings.addFindings([trouble("a".repeat(201))])).rejects.toThrow(RangeError);
  });
}
