/** Lists that have views, in the order in which pages name them. */
export const VIEWED_LISTS = ["issues", "traces", "logs", "performance"] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** Characters. */
export const MAX_VIEW_NAME = 60;
/** Characters of the query of an address: a search of 2,000 characters, each written as three. */
export const MAX_VIEW_QUERY = 8_000;
/** The highest number of views of one person, in all lists. */
export const MAX_VIEWS = 100;

/** Keys of a search that name projects by their slugs. */
export const PROJECT_KEYS: ReadonlySet<string> = new Set(["project", "project.name"]);

/** A search that somebody keeps by name, with the filters beside it, as one person sees it. */
export interface SavedView {
  id: number;
  list: ViewedList;
  name: string;
  /** The query string of the list's address, without the question mark. Empty: the list as it is by default. */
  query: string;
  /** Whether others may use it who see the projects that it names. */
  isShared: boolean;
  /** Whether the person has made it. */
  isOwn: boolean;
  /** Name of the person who made it. */
  ownerName: string;
  /** Whether the person's list begins with it. */
  isDefault: boolean;
  /** Place among the person's own views of the list; those of others have that of their owner. */
  place: number;
}

/** The address of the list as the view shows it. */
export function toViewPath({ list, query }: Pick<SavedView, "list" | "query">): string {
  return query === "" ? `/${list}` : `/${list}?${query}`;
}
