import type { Workspace } from "../../access/workspace.ts";
import { isTimezone } from "../../domain/monitors/schedule.ts";
import { WEEKDAYS } from "../../domain/people/quiet-hours.ts";
import {
  findLastHandover,
  type Handover,
  MAX_OVERRIDE_MS,
  MAX_ROTA_MEMBERS,
  MAX_ROTA_OVERRIDES,
  OVERRIDE_KEPT_MS,
  type Rota,
  type RotaOverride,
} from "../../domain/people/rota.ts";
import type { Team } from "../../domain/people/team.ts";
import { type ChangeTeamResult, changeTeam } from "./change-team.server.ts";

export type ChangeRotaResult =
  | Extract<ChangeTeamResult, { ok: true }>
  | { ok: false; status: 400 | 403 | 404 | 409; field: string | null; message: string };

/** The values of a rota before it is saved. The first member is on call from the last handover on. */
export interface RotaDraft {
  memberIds: readonly number[];
  handover: Handover;
  /** Absent: the present overrides stay. */
  overrides?: readonly RotaOverride[];
}

const NO_ROTA = refuse(409, null, "This team has no rota. Save one first.");

/** Gives the team a rota, or replaces its rota. */
export async function saveRota(
  workspace: Workspace,
  team: Team,
  { draft, now }: { draft: RotaDraft; now: number },
): Promise<ChangeRotaResult> {
  const { memberIds, handover, overrides } = draft;
  if (memberIds.length === 0) return refuse(400, "order", "Choose at least one member.");
  if (memberIds.length > MAX_ROTA_MEMBERS) return refuse(400, "order", `At most ${MAX_ROTA_MEMBERS} members.`);
  if (new Set(memberIds).size < memberIds.length) return refuse(400, "order", "Each member stands in it once.");
  if (memberIds.some((id) => !team.memberIds.includes(id)))
    return refuse(400, "order", "Only members of the team can be on call.");
  if (!WEEKDAYS.some((day) => day === handover.weekday))
    return refuse(400, "weekday", "Must be a day, from 1 (Monday) to 7 (Sunday).");
  if (!Number.isInteger(handover.minute) || handover.minute < 0 || handover.minute > 24 * 60 - 1)
    return refuse(400, "time", "Must be a time of day like 09:00.");
  if (!isTimezone(handover.timezone))
    return refuse(400, "timezone", `There is no time zone “${handover.timezone}”. Use a name like Europe/Berlin.`);
  for (const each of overrides ?? []) {
    const problem = findProblem(each, team);
    if (problem !== null) return problem;
  }
  if ((overrides?.length ?? 0) > MAX_ROTA_OVERRIDES) return TOO_MANY;
  const rota = (before: Rota | null): Rota => ({
    memberIds,
    handover,
    startsAt: findLastHandover(handover, now),
    overrides: dropOld(overrides ?? before?.overrides ?? [], now),
  });
  return await changeTeam(workspace, team, { rota });
}

export async function endRota(workspace: Workspace, team: Team): Promise<ChangeRotaResult> {
  return await changeTeam(workspace, team, { rota: () => null });
}

/** Puts a member on call for a time, instead of the member whose turn it is. */
export async function addOverride(
  workspace: Workspace,
  team: Team,
  { override, now }: { override: RotaOverride; now: number },
): Promise<ChangeRotaResult> {
  if (team.rota === null) return NO_ROTA;
  const problem = findProblem(override, team);
  if (problem !== null) return problem;
  if (override.to <= now) return refuse(400, "to", "Must be in the future.");
  let isFull = false;
  const rota = (before: Rota | null) => {
    if (before === null) return null;
    const overrides = [...dropOld(before.overrides, now), override];
    isFull = overrides.length > MAX_ROTA_OVERRIDES;
    return isFull ? before : { ...before, overrides };
  };
  const changed = await changeTeam(workspace, team, { rota });
  return isFull ? TOO_MANY : changed;
}

export async function removeOverride(
  workspace: Workspace,
  team: Team,
  { userId, from, to }: RotaOverride,
): Promise<ChangeRotaResult> {
  const isIt = (each: RotaOverride) => each.userId === userId && each.from === from && each.to === to;
  if (!team.rota?.overrides.some(isIt)) return refuse(404, null, "This override does not exist any more.");
  const rota = (before: Rota | null) =>
    before && { ...before, overrides: before.overrides.filter((each) => !isIt(each)) };
  return await changeTeam(workspace, team, { rota });
}

function findProblem(
  { userId, from, to }: RotaOverride,
  { memberIds }: Team,
): (ChangeRotaResult & { ok: false }) | null {
  if (!memberIds.includes(userId)) return refuse(400, "user", "Only members of the team can be on call.");
  if (!Number.isSafeInteger(from)) return refuse(400, "from", "Must be a day and a time.");
  if (!Number.isSafeInteger(to)) return refuse(400, "to", "Must be a day and a time.");
  if (to <= from) return refuse(400, "to", "Must be later than the beginning.");
  return to - from > MAX_OVERRIDE_MS ? refuse(400, "to", "An override lasts 60 days at most.") : null;
}

function dropOld(overrides: readonly RotaOverride[], now: number): RotaOverride[] {
  return overrides.filter(({ to }) => to > now - OVERRIDE_KEPT_MS);
}

const TOO_MANY = refuse(409, null, `There are ${MAX_ROTA_OVERRIDES} overrides, which is the limit. Remove some first.`);

function refuse(status: 400 | 403 | 404 | 409, field: string | null, message: string) {
  return { ok: false as const, status, field, message };
}
