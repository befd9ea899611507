import type { Assignee } from "../../../domain/issues/triage.ts";
import type { SuggestedOwner } from "../../../domain/ownership/suggested-owner.ts";
import type { Scope } from "../../../domain/scope.ts";
import {
  LOOK_AGAIN_MS,
  RULED_ISSUES,
  type SuggestionStore,
  type SuggestionWork,
  WATCHED_ISSUES,
} from "../../state/suggestion-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { ASSIGNEE_SEES, toAssigneeJson } from "./assignees.ts";

export function createSuggestionStore(db: SqliteConnection): SuggestionStore {
  return { listSuggestions: async (scope, issueIds) => listSuggestions(db, scope, issueIds) };
}

export function createSuggestionWork(db: SqliteConnection): SuggestionWork {
  return {
    listDue: async (options) => listDue(db, options),
    mayNameOwners: async (projectId) => mayNameOwners(db, projectId),
    saveSuggestions: (found, at) => db.write(() => saveSuggestions(db, found, at)),
  };
}

function listSuggestions(
  db: SqliteConnection,
  scope: Scope,
  issueIds: readonly number[],
): Map<number, SuggestedOwner[]> {
  const rows = db.all<{ issueId: number; assignee: string | null; reasons: string }>(
    `SELECT i.id AS issueId, ${toAssigneeJson("a")} AS assignee, a.reasons
     FROM json_each(:issueIds) AS asked CROSS JOIN issues AS i ON i.id = asked.value
     CROSS JOIN issue_suggestions AS a ON a.issue_id = i.id
     WHERE i.project_id IN (SELECT value FROM json_each(:projectIds)) AND ${ASSIGNEE_SEES} ORDER BY i.id, a.place`,
    { issueIds: JSON.stringify([...new Set(issueIds)]), projectIds: JSON.stringify(scope.projectIds) },
  );
  const suggestions = new Map<number, SuggestedOwner[]>();
  for (const { issueId, assignee, reasons } of rows) {
    if (assignee === null) continue;
    const suggested: SuggestedOwner = { assignee: JSON.parse(assignee) as Assignee, reasons: JSON.parse(reasons) };
    suggestions.set(issueId, [...(suggestions.get(issueId) ?? []), suggested]);
  }
  return suggestions;
}

type Due = Awaited<ReturnType<SuggestionWork["listDue"]>>;

function listDue(db: SqliteConnection, { now, limit }: { now: number; limit: number }): Due {
  const changed = db.all<Due[number]>(
    `SELECT i.id AS issueId, i.project_id AS projectId FROM issue_suggestion_looks AS l CROSS JOIN issues AS i ON i.id = l.issue_id
     WHERE l.at = 0 LIMIT :limit`,
    { limit },
  );
  if (changed.length === limit) return changed;
  const seen = db.all<Due[number]>(
    `SELECT i.id AS issueId, i.project_id AS projectId
     FROM (SELECT id, project_id, status, last_seen_at FROM issues ORDER BY last_seen_at DESC, id DESC LIMIT ${WATCHED_ISSUES}) AS i
     LEFT JOIN issue_suggestion_looks AS l ON l.issue_id = i.id
     WHERE i.status = 'unresolved' AND (l.at IS NULL OR (l.at BETWEEN 1 AND :before AND i.last_seen_at > l.at))
     ORDER BY i.last_seen_at DESC LIMIT :limit`,
    { before: now - LOOK_AGAIN_MS, limit: limit - changed.length },
  );
  return [...changed, ...seen];
}

/** Commits of all projects count, because finding those of one project costs more than reading an event in vain. */
function mayNameOwners(db: SqliteConnection, projectId: number): boolean {
  const found = db.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM release_commit_files) OR EXISTS (
       SELECT 1 FROM project_rules WHERE project_id = :projectId AND kind = 'ownership' AND rules ->> 'text' <> '')`,
    { projectId },
  );
  return found !== undefined;
}

/** Within a write transaction. Skips issues that have ended meanwhile. */
function saveSuggestions(
  db: SqliteConnection,
  found: Parameters<SuggestionWork["saveSuggestions"]>[0],
  at: number,
): void {
  for (const { issueId, suggested } of found) {
    db.run("DELETE FROM issue_suggestions WHERE issue_id = :issueId", { issueId });
    if (db.get("SELECT 1 FROM issues WHERE id = :issueId", { issueId }) === undefined) continue;
    suggested.forEach(({ assignee: { kind, id }, reasons }, place) => {
      const [table, column] = kind === "user" ? ["users", "user_id"] : ["teams", "team_id"];
      db.run(
        `INSERT INTO issue_suggestions (issue_id, place, ${column}, reasons)
         SELECT :issueId, :place, id, :reasons FROM ${table} WHERE id = :id`,
        { issueId, place, id, reasons: JSON.stringify(reasons) },
      );
    });
    db.run(
      `INSERT INTO issue_suggestion_looks (issue_id, at) VALUES (:issueId, :at)
       ON CONFLICT DO UPDATE SET at = excluded.at`,
      { issueId, at: Math.max(1, Math.floor(at)) },
    );
  }
}

/** Makes the suggestions of an issue due after a change of the issue, within a write transaction. */
export function noteSuggestionsChange(db: SqliteConnection, issueId: number): void {
  db.run("INSERT INTO issue_suggestion_looks (issue_id, at) VALUES (:issueId, 0) ON CONFLICT DO UPDATE SET at = 0", {
    issueId,
  });
}

/** Makes the suggestions of a project's issues due after a change of its ownership rules, within a write transaction. */
export function noteRulesChange(db: SqliteConnection, projectId: number): void {
  db.run(
    `INSERT INTO issue_suggestion_looks (issue_id, at)
     SELECT id, 0 FROM (SELECT id FROM issues WHERE project_id = :projectId AND status = 'unresolved'
       ORDER BY last_seen_at DESC LIMIT ${RULED_ISSUES}) WHERE true
     ON CONFLICT DO UPDATE SET at = 0`,
    { projectId },
  );
}
