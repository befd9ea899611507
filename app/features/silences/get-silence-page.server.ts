import type { Workspace } from "../../access/workspace.ts";
import type { AlertSilence } from "../../domain/alerts/silence.ts";
import { hasRight, narrowScope, type Scope } from "../../domain/scope.ts";
import { allOf, type Condition } from "../../domain/search/condition.ts";
import { describeOutcomes, type OutcomeItem } from "../alerts/describe-outcomes.server.ts";
import { changeIssues, restoreIssues } from "../issues/change-issues.server.ts";
import { parsePrevious, serializePrevious } from "../issues/previous-statuses.ts";
import { listSilences, type SilenceItem } from "./list-silences.server.ts";
import { refuseSilence, SILENCE_GONE, type SilenceResult } from "./silence-result.ts";

export interface SilencePage {
  silence: SilenceItem;
  /** The alerts that it held back, newest first, at most 100. */
  held: OutcomeItem[];
  /** Unresolved issues whose events all lie within its time. At most 100. */
  appeared: Array<{ id: number; shortId: string; title: string; eventCount: number }>;
  mayResolve: boolean;
}

const MAX_LISTED = 100;

/** Null: the silence does not exist. */
export async function getSilencePage(
  workspace: Workspace,
  silenceId: number,
  now: number,
): Promise<SilencePage | null> {
  const { state, scope } = workspace;
  const silence = (await listSilences(workspace, now)).find(({ id }) => id === silenceId);
  const raw = silence && (await state.silences.getSilence(scope, silenceId));
  if (!silence || !raw) return null;
  const outcomes = await state.alerts.listOutcomes(scope, { silenceId, limit: MAX_LISTED });
  const appeared = await listAppeared(workspace, raw);
  return {
    silence,
    held: await describeOutcomes(workspace, outcomes),
    appeared: appeared.map(({ id, shortId, title, eventCount }) => ({ id, shortId, title, eventCount })),
    mayResolve: hasRight(scope, "event:write"),
  };
}

/** Resolves the issues that appeared only during the silence, or undoes that. */
export async function resolveAppeared(
  workspace: Workspace,
  { silenceId, form, now }: { silenceId: number; form: FormData; now: number },
): Promise<SilenceResult> {
  const { state, scope } = workspace;
  if (!hasRight(scope, "event:write")) return refuseSilence(403, "list", "You may not change issues.");
  const silence = await state.silences.getSilence(scope, silenceId);
  if (silence === null) return SILENCE_GONE;
  if (form.get("intent") === "undo-resolve") {
    const previous = parsePrevious(form.get("previous"));
    if (previous === null) return refuseSilence(400, "list", "previous: It is not what was given.");
    await restoreIssues(workspace, { previous, now });
    return { ok: true, message: "The issues are as they were before.", silenceId, undo: null };
  }
  const issues = (await listAppeared(workspace, silence)).map(({ id }) => id);
  const { previous } = await changeIssues(workspace, { issues, status: "resolved", now });
  const count = `${previous.length} ${previous.length === 1 ? "issue" : "issues"}`;
  const serialized = serializePrevious(previous);
  return {
    ok: true,
    message: `Resolved ${count}.`,
    silenceId,
    undo: serialized === null ? null : { intent: "undo-resolve", previous: serialized },
  };
}

/** Issues covered by the silence that were first and last seen in its time. */
async function listAppeared({ state, scope }: Workspace, silence: AlertSilence) {
  const rule = silence.ruleId === null ? null : await state.alerts.getRule(scope, silence.ruleId);
  const ids = silence.projectId !== null ? [silence.projectId] : (rule?.projectIds ?? null);
  const covered: Scope = ids === null ? scope : narrowScope(scope, ids);
  const { issues } = await state.issues.listIssues(covered, {
    from: null,
    to: null,
    statuses: ["unresolved"],
    ...(silence.environment === null ? {} : { environments: [silence.environment] }),
    where: allOf([compare("firstSeenAt", ">=", silence.startsAt), compare("lastSeenAt", "<", silence.endsAt)]),
    sort: "last_seen",
    cursor: null,
    limit: MAX_LISTED,
  });
  return issues;
}

function compare(field: string, sign: ">=" | "<", value: number): Condition {
  return { kind: "test", field, isTag: false, isNegated: false, test: { kind: "compare", sign, value } };
}
