import type { Workspace } from "../../access/workspace.ts";
import { parseTimeOfDay } from "../../domain/people/quiet-hours.ts";
import { parseLocalTime } from "../../domain/people/rota.ts";
import type { Team } from "../../domain/people/team.ts";
import { addOverride, type ChangeRotaResult, endRota, removeOverride, saveRota } from "./change-rota.server.ts";

export const ROTA_INTENTS = ["rota", "rota-off", "override", "override-off"] as const;
export type RotaIntent = (typeof ROTA_INTENTS)[number];

/** Prefix of the fields for a member's place in the order. */
const PLACE_FIELD = "place-";

export async function changeRotaByForm(
  workspace: Workspace,
  { intent, form, team, now }: { intent: RotaIntent; form: FormData; team: Team; now: number },
): Promise<ChangeRotaResult> {
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  switch (intent) {
    case "rota": {
      const memberIds = readOrder(form, team);
      if (typeof memberIds === "string") return { ok: false, status: 400, field: "order", message: memberIds };
      const handover = {
        weekday: Number(textOf("weekday")),
        minute: parseTimeOfDay(textOf("time")) ?? -1,
        timezone: textOf("timezone"),
      };
      return await saveRota(workspace, team, { draft: { memberIds, handover }, now });
    }
    case "rota-off":
      return await endRota(workspace, team);
    case "override": {
      // In the time zone of the rota, like all its times on the page.
      const zone = team.rota?.handover.timezone ?? "UTC";
      const instantOf = (name: string) => parseLocalTime(textOf(name), zone) ?? Number.NaN;
      const override = { userId: Number(textOf("user")), from: instantOf("from"), to: instantOf("to") };
      return await addOverride(workspace, team, { override, now });
    }
    case "override-off": {
      const numberOf = (name: string) => Number(textOf(name));
      const override = { userId: numberOf("user"), from: numberOf("from"), to: numberOf("to") };
      return await removeOverride(workspace, team, override);
    }
  }
}

/** The members with a filled-in place, in the order of their places. Returns a text if something is wrong. */
function readOrder(form: FormData, team: Team): number[] | string {
  const placed: Array<{ id: number; place: number }> = [];
  for (const id of team.memberIds) {
    const text = String(form.get(`${PLACE_FIELD}${id}`) ?? "").trim();
    if (text === "") continue;
    const place = Number(text);
    if (!Number.isInteger(place) || place < 1) return "A place is a whole number from 1, or empty.";
    if (placed.some((each) => each.place === place)) return `Two members have the place ${place}.`;
    placed.push({ id, place });
  }
  return placed.sort((one, other) => one.place - other.place).map(({ id }) => id);
}
