import type { GroupingExplanation } from "../../../domain/grouping.ts";
import type { IssueStatus } from "../../../domain/issue.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { OutcomeCount } from "../../../domain/outcome.ts";
import type { ProjectKey } from "../../../domain/project.ts";
import { makeScope, type Scope } from "../../../domain/scope.ts";
import type { IssueAssignment } from "../batch-store.ts";
import type { IssueQuery } from "../issue-store.ts";
import type { State } from "../state.ts";

/** An empty state database of some engine; disposing closes every connection and deletes it. */
export interface StateDatabase<Stores = State> extends AsyncDisposable {
  /** Another connection to the same data. `now` decides until when issues are new; the real clock when absent. */
  connect(options?: { now?: () => number }): Promise<Stores>;
}

export type CreateStateDatabase<Stores = State> = () => Promise<StateDatabase<Stores>>;

/** The stores of an empty database of their own, which ends with them. */
export async function openStore<Stores extends object>(
  createDatabase: CreateStateDatabase<Stores>,
  options?: { now?: () => number },
): Promise<Stores & AsyncDisposable> {
  const database = await createDatabase();
  return { ...(await database.connect(options)), [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

/** A Wednesday at noon (UTC), to which the instants of the cases are relative. */
export const NOON = Date.UTC(2026, 4, 20, 12);
export const JOURNAL = "00112233445566aa";

/** Of a check-in that says its status and no more. */
export const NO_DETAILS = {
  config: null,
  checkInId: null,
  durationMs: null,
  release: null,
  traceId: null,
  exitStatus: null,
  output: null,
};

/** A scope of these projects. */
export function scopeOf(...projectIds: number[]): Scope {
  return makeScope({ organizationId: 1, projectIds, rights: [] });
}

/** A scope of all projects of a case. */
export const EVERYTHING = scopeOf(...Array.from({ length: 100 }, (_, id) => id));

export function groupingOf(hash: string): GroupingExplanation {
  return {
    version: "culprit:1",
    basis: "message",
    variant: null,
    hash,
    contributions: [{ kind: "message", value: `message of ${hash}` }],
    omissions: [],
  };
}

/** An event of the issue `hash`, in project 1 at noon unless told otherwise. */
export function occurrence(
  sequence: number,
  hash: string,
  change: Partial<IssueOccurrence> & { at?: number } = {},
): IssueOccurrence {
  const { at = NOON, ...fields } = change;
  return {
    sequence,
    projectId: 1,
    eventId: sequence.toString(16).padStart(32, "0"),
    hashes: [hash],
    grouping: groupingOf(hash),
    occurredAt: at,
    receivedAt: at,
    title: `Error of ${hash}`,
    type: "Error",
    value: `value of ${hash}`,
    culprit: `app/${hash}.ts in run`,
    level: "error",
    platform: "node",
    logger: null,
    isUnhandled: false,
    environment: "production",
    release: null,
    userKey: null,
    ...fields,
  };
}

export function outcome(change: Partial<OutcomeCount> = {}): OutcomeCount {
  return {
    projectId: 1,
    category: "error",
    outcome: "accepted",
    reason: "",
    quantity: 1,
    receivedAt: NOON,
    ...change,
  };
}

/** Applies one batch that ends after the last occurrence. */
export async function apply(store: State, occurrences: IssueOccurrence[]): Promise<IssueAssignment[]> {
  const upTo = Math.max(0, ...occurrences.map((applied) => applied.sequence + 1));
  return await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences, outcomes: [] });
}

export type ScopedQuery = Partial<IssueQuery> & { projectIds?: readonly number[] };

/** A query for `listIssues`: all issues, the latest first, unless told otherwise. */
export function query({ projectIds, ...change }: ScopedQuery = {}): [Scope, IssueQuery] {
  const scope = projectIds === undefined ? EVERYTHING : scopeOf(...projectIds);
  return [scope, { from: null, to: null, sort: "last_seen", cursor: null, limit: 25, ...change }];
}

export async function createProject(store: Pick<State, "projects">, slug: string): Promise<number> {
  const created = await store.projects.createProject({ slug, name: slug, platform: "node", at: NOON });
  if (!created.ok) throw new Error(`${slug} is taken`);
  return created.project.id;
}

export async function titlesOf(store: State, change: ScopedQuery): Promise<string[]> {
  const page = await store.issues.listIssues(...query(change));
  return page.issues.map((issue) => issue.title);
}

export async function createKey(
  store: Pick<State, "projects">,
  input: { projectId: number; label: string; publicKey: string; at: number },
): Promise<ProjectKey> {
  const key = await store.projects.createKey(EVERYTHING, input);
  if (key === null) throw new Error(`there is no project ${input.projectId}`);
  return key;
}

/** A change of status that nobody signed in has made. */
export function setStatus(
  store: State,
  issueIds: number[],
  status: IssueStatus,
  at: number,
): ReturnType<State["issues"]["changeIssueStatus"]> {
  return store.issues.changeIssueStatus(EVERYTHING, { issueIds, status, userId: null, at });
}
