import type { ItemRow } from "../../stores/events/items.ts";

/** Types of items that are stored as they were sent, and can be downloaded. */
export const FILE_TYPES = ["attachment", "profile", "profile_chunk"];

/** The file name from the sender. Profiles have none: their names are made of the id and the time of arrival. */
export function nameOfFile({ type, name, eventId, receivedAt }: ItemRow): string {
  if (type === "attachment") return name ?? "attachment";
  const time = new Date(receivedAt).toISOString().replaceAll(":", "-");
  return `${type.replace("_", "-")}-${eventId?.slice(0, 8)}-${time}.json`;
}
