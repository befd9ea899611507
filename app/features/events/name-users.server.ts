import type { Workspace } from "../../access/workspace.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { readUserKey } from "./user-words.ts";

/** Display names for values of the tag `user`, like `id:42`: the e-mail address or the name, otherwise the value without its kind. */
export async function nameUsers(
  { events }: Workspace,
  filter: EventFilter,
  values: readonly string[],
): Promise<Map<string, string>> {
  const names = values.length === 0 ? new Map<string, string>() : await events.nameUsers(filter, values);
  return new Map(values.map((value) => [value, names.get(value) ?? readUserKey(value)]));
}
