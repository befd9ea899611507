import { createHash } from "node:crypto";
import { type Finding, type Trouble, toFindingEvent, toFindingFingerprint } from "../domain/findings/finding.ts";
import type { LiveFeed } from "../domain/live-message.ts";
import { groupEvent } from "../grouping/group-event.ts";
import { type Journal, JournalUnavailableError } from "../journal/journal.ts";
import type { QueuedFinding } from "../stores/state/finding-store.ts";
import type { State } from "../stores/state/state.ts";
import { encodeOwnEntry } from "./own-entry.ts";
import type { Job } from "./runner.ts";

/** What a monitor finds is told within a second or two. If the queue is empty, a run costs two reads. */
const EVERY_MS = 1_000;
const FINDINGS_AT_ONCE = 100;

interface ReportParts {
  state: Pick<State, "findings" | "batches" | "directory">;
  journal: Pick<Journal, "id" | "append">;
  feed: Pick<LiveFeed, "publish">;
  /** Called for each event as soon as it is durable. */
  onAccepted(eventId: string, sequence: number, projectId: number): void;
  now: () => number;
}

/**
 * Says as issues what Culprit found out itself. A trouble goes the way of every event: journal, digest, grouping, outbox. It is in the
 * journal before the queue says so. After a crash between the two it is written again, and the digest leaves it out as a repeat, because
 * its event id is made of its content. A recovery resolves the issue once state has applied the events before it.
 */
export function createReportFindingsJob({ state, journal, feed, onAccepted, now }: ReportParts): Job {
  async function report({ position, finding }: QueuedFinding): Promise<void> {
    if (finding.kind === "trouble") {
      const { eventId, bytes } = toJournalEntry(finding, now());
      const sequence = await journal.append(bytes);
      onAccepted(eventId, sequence, finding.projectId);
      await state.findings.noteReported(position, sequence);
      return;
    }
    const ended = await state.findings.endTrouble(position, finding, hashesOf(finding));
    if (ended === null) return;
    const { projectId } = finding;
    feed.publish({
      kind: "issues",
      at: now(),
      changes: [{ issueId: ended.issueId, projectId, transition: null, events: 0 }],
    });
  }

  return {
    name: "report-findings",
    everyMs: EVERY_MS,
    async run(signal) {
      let worked = (await state.findings.forgetApplied(await state.batches.appliedSequence(journal.id))) > 0;
      for (;;) {
        const queued = await state.findings.listFindings(FINDINGS_AT_ONCE);
        if (queued.length === 0) return worked ? "worked" : "idle";
        const projectIds = new Set((await state.directory.listProjects()).map(({ id }) => id));
        for (const each of queued) {
          if (signal.aborted) return "worked";
          worked = true;
          // The project is being deleted, so nobody can see the issue.
          if (!projectIds.has(each.finding.projectId)) await state.findings.dropFinding(each.position);
          else {
            try {
              await report(each);
            } catch (error) {
              // A full disk or backlog refuses events of clients, too. The finding waits.
              if (error instanceof JournalUnavailableError) return "worked";
              throw error;
            }
          }
        }
      }
    },
  };
}

/** The event id of a trouble. It depends only on the trouble, not on when or how often it is reported. */
function toFindingEventId({ projectId, subject, at, message }: Trouble): string {
  return createHash("md5")
    .update(JSON.stringify([projectId, subject, at, message]))
    .digest("hex");
}

function toJournalEntry(trouble: Trouble, receivedAt: number): { eventId: string; bytes: Uint8Array[] } {
  const eventId = toFindingEventId(trouble);
  const bytes = encodeOwnEntry({
    projectId: trouble.projectId,
    receivedAt,
    eventId,
    as: { isFinding: true },
    header: { type: "event" },
    payload: toFindingEvent(trouble, eventId),
  });
  return { eventId, bytes };
}

/** The hashes by which state finds the issue. They include those of the grouping version before, because the trouble may be older than this one. */
function hashesOf({ subject }: Finding): string[] {
  const event = {
    event_id: "",
    type: "default" as const,
    timestamp: 0,
    received: 0,
    platform: "other",
    level: "error" as const,
    fingerprint: toFindingFingerprint(subject),
  };
  const { hashes, earlier } = groupEvent(event, true);
  return [...hashes, ...(earlier?.hashes ?? [])];
}
