import type { IssueAssignment, IssueOccurrence, StateBatch } from "../state-store.ts";
import type { SqliteConnection } from "./connection.ts";
import { requireEnvironmentId } from "./environments.ts";
import { IssueDraft, type StoredIssue } from "./issue-draft.ts";
import { addOutcomes } from "./outcomes.ts";
import { noteFirstEvent } from "./projects-and-keys.ts";
import { saveIssueDrafts } from "./save-issue-drafts.ts";

export function appliedSequence(db: SqliteConnection, journalId: string): number {
  const row = db.get<{ sequence: number }>("SELECT sequence FROM journal_positions WHERE journal_id = :journalId", {
    journalId,
  });
  return row?.sequence ?? 0;
}

/** Within a write transaction. */
export function applyBatch(db: SqliteConnection, batch: StateBatch): IssueAssignment[] {
  const applied = appliedSequence(db, batch.journalId);
  const drafts = new BatchDrafts(db);
  const found = batch.occurrences.map((occurrence) => {
    if (occurrence.sequence >= batch.upTo) {
      throw new RangeError(
        `the batch ends before ${batch.upTo}, and has an occurrence of record ${occurrence.sequence}`,
      );
    }
    if (occurrence.sequence < applied) {
      const issueId = drafts.findIssueId(occurrence);
      if (issueId !== null) return { issueId, transition: null };
      // Its issue was deleted meanwhile; the event is still to be stored somewhere.
      return { draft: drafts.add(occurrence).draft, transition: null };
    }
    return drafts.add(occurrence);
  });

  const issueIds = saveIssueDrafts(db, drafts.all);
  for (const [projectId, at] of drafts.firstEventByProject) noteFirstEvent(db, projectId, at);
  addOutcomes(
    db,
    batch.outcomes.filter((outcome) => outcome.sequence >= applied),
  );
  if (batch.upTo > applied) {
    db.run(
      `INSERT INTO journal_positions (journal_id, sequence) VALUES (:journalId, :upTo)
       ON CONFLICT DO UPDATE SET sequence = excluded.sequence`,
      { journalId: batch.journalId, upTo: batch.upTo },
    );
  }
  return found.map((assignment) => {
    if (!("draft" in assignment)) return assignment;
    const issueId = issueIds.get(assignment.draft);
    if (issueId === undefined) throw new Error("an issue of the batch was not saved");
    return { issueId, transition: assignment.transition };
  });
}

/** The issues that a batch touches, each read once. */
class BatchDrafts {
  /** In the order in which they first occurred, which is also that of the ids of new ones. */
  readonly all: IssueDraft[] = [];
  /** When the batch's first event of each project was received. */
  readonly firstEventByProject = new Map<number, number>();
  readonly #db: SqliteConnection;
  readonly #draftByHash = new Map<string, IssueDraft>();
  /** What the batch leaves. What the database holds was left earlier, and goes before it. */
  readonly #draftByKinKey = new Map<string, IssueDraft>();
  readonly #draftByIssueId = new Map<number, IssueDraft>();
  readonly #environmentIds = new Map<string, number>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** The issue that a record was given when it was applied: hashes never change their issue. */
  findIssueId({ projectId, hashes }: IssueOccurrence): number | null {
    for (const hash of hashes) {
      const issueId = this.#lookUp(projectId, hash);
      if (issueId !== null) return issueId;
    }
    return null;
  }

  add(occurrence: IssueOccurrence): { draft: IssueDraft; transition: IssueAssignment["transition"] } {
    const { projectId, receivedAt } = occurrence;
    const draft = this.#draftFor(occurrence);
    const transition = draft.add(occurrence, this.#environmentId(occurrence.environment ?? ""));
    if (!this.firstEventByProject.has(projectId)) this.firstEventByProject.set(projectId, Math.floor(receivedAt));
    return { draft, transition };
  }

  /**
   * By the first hash that is known, else by what another engine's report of the error left. Hashes that are not known
   * become the issue's too, so that each keeps its issue for ever.
   */
  #draftFor(occurrence: IssueOccurrence): IssueDraft {
    const { projectId, hashes, kin } = occurrence;
    let draft: IssueDraft | undefined;
    let isFoundByKin = false;
    let unknownHashes: string[] | undefined;
    for (const hash of hashes) {
      const known = this.#draftOf(hash, occurrence);
      if (known) draft ??= known;
      else if (unknownHashes === undefined) unknownHashes = [hash];
      else unknownHashes.push(hash);
    }
    if (draft === undefined) {
      if (unknownHashes === undefined) throw new TypeError(`event ${occurrence.eventId} has no grouping hash`);
      draft = this.#kinDraftOf(occurrence);
      isFoundByKin = draft !== undefined;
      if (draft === undefined) {
        draft = new IssueDraft(null, occurrence);
        this.all.push(draft);
      }
    }
    for (const hash of new Set(unknownHashes)) {
      draft.newHashes.push({ hash, occurrence, isFoundByKin });
      this.#draftByHash.set(toKey(projectId, hash), draft);
    }
    if (kin && unknownHashes?.[0] === hashes[0]) this.#leaveKinKeys(draft, projectId, kin.leave);
    return draft;
  }

  #kinDraftOf(occurrence: IssueOccurrence): IssueDraft | undefined {
    for (const key of occurrence.kin?.seek ?? []) {
      const issueId = this.#lookUpKinKey(occurrence.projectId, key);
      if (issueId !== null) return this.#draftOfIssue(issueId, occurrence);
      const draft = this.#draftByKinKey.get(toKey(occurrence.projectId, key));
      if (draft) return draft;
    }
    return undefined;
  }

  #leaveKinKeys(draft: IssueDraft, projectId: number, keys: readonly string[]): void {
    for (const key of keys) {
      const projectKey = toKey(projectId, key);
      // Decided here: drafts are saved in another order than that in which their events came.
      if (this.#draftByKinKey.has(projectKey)) continue;
      this.#draftByKinKey.set(projectKey, draft);
      draft.newKinKeys.push(key);
    }
  }

  #draftOf(hash: string, occurrence: IssueOccurrence): IssueDraft | undefined {
    const key = toKey(occurrence.projectId, hash);
    const known = this.#draftByHash.get(key);
    if (known) return known;
    const issueId = this.#lookUp(occurrence.projectId, hash);
    if (issueId === null) return undefined;
    const draft = this.#draftOfIssue(issueId, occurrence);
    this.#draftByHash.set(key, draft);
    return draft;
  }

  #draftOfIssue(issueId: number, occurrence: IssueOccurrence): IssueDraft {
    return this.#draftByIssueId.get(issueId) ?? this.#load(issueId, occurrence);
  }

  #load(issueId: number, occurrence: IssueOccurrence): IssueDraft {
    const stored = this.#db.get<StoredIssue>(
      `SELECT id, project_id, short_id, status, substatus, status_changed_at, first_seen_at, last_seen_at,
         level, is_unhandled, platform, logger, type, title, culprit, value, search_text
       FROM issues WHERE id = :issueId`,
      { issueId },
    );
    if (stored === undefined) throw new Error(`a key of the grouping names issue ${issueId}, which does not exist`);
    const draft = new IssueDraft(stored, occurrence);
    this.#draftByIssueId.set(issueId, draft);
    this.all.push(draft);
    return draft;
  }

  #lookUp(projectId: number, hash: string): number | null {
    const row = this.#db.get<{ issue_id: number }>(
      "SELECT issue_id FROM issue_hashes WHERE project_id = :projectId AND hash = :hash",
      { projectId, hash },
    );
    return row?.issue_id ?? null;
  }

  #lookUpKinKey(projectId: number, key: string): number | null {
    const row = this.#db.get<{ issue_id: number }>(
      "SELECT issue_id FROM issue_kin_keys WHERE project_id = :projectId AND key = :key",
      { projectId, key },
    );
    return row?.issue_id ?? null;
  }

  #environmentId(name: string): number {
    let id = this.#environmentIds.get(name);
    if (id === undefined) {
      id = requireEnvironmentId(this.#db, name);
      this.#environmentIds.set(name, id);
    }
    return id;
  }
}

function toKey(projectId: number, hash: string): string {
  return `${projectId} ${hash}`;
}
