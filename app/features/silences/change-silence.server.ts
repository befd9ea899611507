import type { Workspace } from "../../access/workspace.ts";
import {
  type AlertSilence,
  findEndProblem,
  MAX_ENVIRONMENT,
  MAX_REASON,
  MAX_SILENCES,
  mayManageSilence,
  sayCovered,
} from "../../domain/alerts/silence.ts";
import { includesProject } from "../../domain/scope.ts";
import { refuseSilence, SILENCE_GONE, type SilenceResult } from "./silence-result.ts";

/** A silence as a person typed it or a program sent it. */
export interface TypedSilence {
  ruleId: number | null;
  projectId: number | null;
  environment: string;
  reason: string;
  /** Milliseconds since 1970. NaN: the time was not understood. */
  endsAt: number;
}

const MAY_NOT =
  "You may not silence this. A project needs project:write or project:releases, a rule what changing it needs, and an environment of all projects org:write.";

export async function silenceAlerts(workspace: Workspace, typed: TypedSilence, now: number): Promise<SilenceResult> {
  const { state, scope, user } = workspace;
  const { ruleId, projectId, endsAt } = typed;
  const environment = typed.environment.trim();
  const reason = typed.reason.replace(/[\p{C}\s]+/gu, " ").trim();
  if (ruleId === null && projectId === null && environment === "")
    return refuseSilence(400, "covers", "Choose a rule, a project or an environment.");
  if (environment.length > MAX_ENVIRONMENT)
    return refuseSilence(400, "environment", `An environment has at most ${MAX_ENVIRONMENT} characters.`);
  if (reason.length > MAX_REASON) return refuseSilence(400, "reason", `A reason has at most ${MAX_REASON} characters.`);
  if (projectId !== null && !includesProject(scope, projectId))
    return refuseSilence(404, "project", "There is no such project.");
  const rule = ruleId === null ? null : await state.alerts.getRule(scope, ruleId);
  if (ruleId !== null && rule === null) return refuseSilence(404, "rule", "There is no such alert rule.");
  const problem = findEndProblem(endsAt, now);
  if (problem !== null) return refuseSilence(400, "until", problem);
  if (!mayManageSilence(scope, { projectId, rule })) return refuseSilence(403, "covers", MAY_NOT);
  const made = await state.silences.createSilence(
    scope,
    {
      ruleId,
      projectId,
      environment: environment === "" ? null : environment,
      reason,
      madeBy: user?.name ?? "the web API",
      endsAt,
    },
    now,
  );
  if (!made.ok && made.reason === "full")
    return refuseSilence(409, "list", `${MAX_SILENCES} silences hold now, which is the limit. End some first.`);
  if (!made.ok) return refuseSilence(404, "covers", "What it covers is gone.");
  const { silence } = made;
  return {
    ok: true,
    message: `Silenced: ${await nameCovered(workspace, silence)}.`,
    silenceId: silence.id,
    undo: { intent: "end", silence: String(silence.id) },
  };
}

export async function endSilence(workspace: Workspace, silenceId: number, now: number): Promise<SilenceResult> {
  const silence = await findOwn(workspace, silenceId);
  if ("ok" in silence) return silence;
  if (silence.endsAt <= now) return refuseSilence(409, "list", "This silence is over already.");
  await workspace.state.silences.moveSilenceEnd(workspace.scope, silenceId, now);
  return {
    ok: true,
    message: `Silence ended: ${await nameCovered(workspace, silence)}.`,
    silenceId,
    undo: { intent: "restore", silence: String(silenceId), until: new Date(silence.endsAt).toISOString() },
  };
}

/** Undoes an end: the silence is in effect again until its planned end. What happened in between is told. */
export async function restoreSilence(
  workspace: Workspace,
  { silenceId, endsAt, now }: { silenceId: number; endsAt: number; now: number },
): Promise<SilenceResult> {
  const silence = await findOwn(workspace, silenceId);
  if ("ok" in silence) return silence;
  const problem = findEndProblem(endsAt, now);
  if (problem !== null) return refuseSilence(400, "until", problem);
  await workspace.state.silences.moveSilenceEnd(workspace.scope, silenceId, endsAt);
  return {
    ok: true,
    message: `Silenced again: ${await nameCovered(workspace, silence)}.`,
    silenceId,
    undo: null,
  };
}

async function findOwn(
  { state, scope }: Workspace,
  silenceId: number,
): Promise<AlertSilence | Extract<SilenceResult, { ok: false }>> {
  const silence = await state.silences.getSilence(scope, silenceId);
  if (silence === null) return SILENCE_GONE;
  const rule = silence.ruleId === null ? null : await state.alerts.getRule(scope, silence.ruleId);
  return mayManageSilence(scope, { projectId: silence.projectId, rule })
    ? silence
    : refuseSilence(403, "list", MAY_NOT);
}

async function nameCovered({ state, scope }: Workspace, silence: AlertSilence): Promise<string> {
  const { ruleId, projectId, environment } = silence;
  const rule = ruleId === null ? null : await state.alerts.getRule(scope, ruleId);
  const project = projectId === null ? null : await state.projects.getProject(scope, projectId);
  return sayCovered({ rule: rule?.name ?? null, project: project?.slug ?? null, environment });
}
