import type { ItemRow } from "../../stores/events/items.ts";

/** What is kept as it came, and can be downloaded. */
export const FILE_TYPES = ["attachment", "profile", "profile_chunk"];

/** As its sender named it. Profiles have no file names: theirs say their id and when they came. */
export function nameOfFile({ type, name, eventId, receivedAt }: ItemRow): string {
  if (type === "attachment") return name ?? "attachment";
  const time = new Date(receivedAt).toISOString().replaceAll(":", "-");
  return `${type.replace("_", "-")}-${eventId?.slice(0, 8)}-${time}.json`;
}
