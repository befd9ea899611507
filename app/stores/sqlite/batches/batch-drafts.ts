import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { IssueAssignment } from "../../state/batch-store.ts";
import { BatchWantedSourceMaps } from "../artifacts/wanted-source-maps.ts";
import type { SqliteConnection } from "../connection.ts";
import { requireEnvironmentId } from "../issues/environments.ts";
import { findIssueByHash, findIssueByKinKey } from "../issues/grouping-keys.ts";
import { loadIssue } from "../issues/load-issue.ts";
import { BatchReleases } from "./batch-releases.ts";
import { IssueDraft, type StoredIssue } from "./issue-draft.ts";

/** The issues that a batch touches, each read once. */
export class BatchDrafts {
  /** In the order in which they first occurred, which is also that of the ids of new ones. */
  readonly all: IssueDraft[] = [];
  /** When the batch's first event of each project was received. */
  readonly firstEventByProject = new Map<number, number>();
  readonly releases: BatchReleases;
  readonly wanted = new BatchWantedSourceMaps();
  readonly #db: SqliteConnection;
  readonly #draftByHash = new Map<string, IssueDraft>();
  /** What the batch leaves. What the database holds was left earlier, and goes before it. */
  readonly #draftByKinKey = new Map<string, IssueDraft>();
  readonly #draftByIssueId = new Map<number, IssueDraft>();
  readonly #environmentIds = new Map<string, number>();

  constructor(db: SqliteConnection) {
    this.#db = db;
    this.releases = new BatchReleases(db);
  }

  /** The issue that a record was given when it was applied: hashes change it only with all of its events. */
  findIssueId({ projectId, hashes }: IssueOccurrence): number | null {
    for (const hash of hashes) {
      const issueId = findIssueByHash(this.#db, projectId, hash);
      if (issueId !== null) return issueId;
    }
    return null;
  }

  add(occurrence: IssueOccurrence): { draft: IssueDraft; transition: IssueAssignment["transition"] } {
    const { projectId, receivedAt } = occurrence;
    const draft = this.#draftFor(occurrence);
    const environmentId = this.#environmentId(occurrence.environment ?? "");
    const transition = draft.add(occurrence, environmentId, this.releases.count(occurrence));
    this.wanted.add(draft, occurrence);
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
        draft = this.#createDraft(null, occurrence);
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
      const issueId = findIssueByKinKey(this.#db, occurrence.projectId, key);
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
    const issueId = findIssueByHash(this.#db, occurrence.projectId, hash);
    if (issueId === null) return undefined;
    const draft = this.#draftOfIssue(issueId, occurrence);
    this.#draftByHash.set(key, draft);
    return draft;
  }

  #draftOfIssue(issueId: number, occurrence: IssueOccurrence): IssueDraft {
    return this.#draftByIssueId.get(issueId) ?? this.#load(issueId, occurrence);
  }

  #load(issueId: number, occurrence: IssueOccurrence): IssueDraft {
    const stored = loadIssue(this.#db, issueId);
    if (stored === null) throw new Error(`a key of the grouping names issue ${issueId}, which does not exist`);
    const draft = this.#createDraft(stored, occurrence);
    this.#draftByIssueId.set(issueId, draft);
    this.all.push(draft);
    return draft;
  }

  #createDraft(stored: StoredIssue | null, first: IssueOccurrence): IssueDraft {
    return new IssueDraft(stored, first, (issueId, resolvedAt, release) =>
      this.releases.isOldNews(issueId, resolvedAt, release),
    );
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
