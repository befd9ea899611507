import { z } from "zod";
import type { IssueActivity } from "../stores/state/issue-store.ts";
import { toIso } from "./answers.ts";
import { id, instant } from "./shapes.ts";

export const activityAnswer = z.object({
  id,
  type: z.string(),
  dateCreated: instant,
  user: z.object({ id, name: z.string() }).nullable().describe("null: Culprit itself"),
  data: z.looseObject({}),
});

/** Words for entries of the activity: Sentry's own, if it has one for the same thing. */
const TYPES = {
  first_seen: "first_seen",
  resolved: "set_resolved",
  archived: "set_ignored",
  reopened: "set_unresolved",
  regressed: "set_regression",
  joined: "merge",
  split_off: "unmerge_destination",
  moved_away: "unmerge_source",
  events_deleted: "events_deleted",
  assigned: "assigned",
  unassigned: "unassigned",
  acknowledged: "acknowledged",
  unacknowledged: "unacknowledged",
  priority_set: "set_priority",
  commented: "note",
  linked: "create_issue",
  unlinked: "unlink_issue",
} satisfies Record<IssueActivity["kind"], string>;

export function serializeActivity({ id, kind, at, user, data }: IssueActivity): z.input<typeof activityAnswer> {
  return {
    id: String(id),
    type: TYPES[kind],
    dateCreated: toIso(at),
    user: user && { id: String(user.id), name: user.name },
    data,
  };
}
