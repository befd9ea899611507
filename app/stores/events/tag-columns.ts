import type { EventRow } from "./error-events.ts";

/** Tags that the issue page counts whenever it is opened, and that therefore have a column beside the text of all tags. */
const COPIED_TAGS = {
  "browser.name": "browser_name",
  "os.name": "os_name",
  "runtime.name": "runtime_name",
  server_name: "server_name",
} as const;

type CopiedTag = keyof typeof COPIED_TAGS;

/**
 * Tag keys that are columns. With 1.5 million events stored, DuckDB counts the values of a column among the events of one issue in 3 ms.
 * Cutting them out of the text takes 200 ms, because the texts of nearly all events are unpacked.
 */
export const TAG_COLUMNS: Readonly<Record<string, string>> = {
  release: "release",
  environment: "environment",
  level: "level",
  transaction: "transaction_name",
  ...COPIED_TAGS,
};

/** The tags that are copied into columns. */
export const COPIED_TAG_COLUMNS = Object.entries(COPIED_TAGS).map(([key, name]) => ({
  name,
  get: (row: Pick<EventRow, "tags">) => findTag(row.tags, key as CopiedTag),
}));

/** Whether the column of the tag is a copy of it. Others are fields of the event, and a tag of their name may say something else. */
export function isCopiedTag(key: string): boolean {
  return Object.hasOwn(COPIED_TAGS, key);
}

export function findTagColumn(key: string): string | undefined {
  return Object.hasOwn(TAG_COLUMNS, key) ? TAG_COLUMNS[key] : undefined;
}

/** The first, when there are several. */
function findTag(tags: EventRow["tags"], key: CopiedTag): string | null {
  for (const tag of tags) if (tag[0] === key) return tag[1];
  return null;
}
