import { FEEDBACK_STATUSES, type FeedbackStatus } from "../../domain/feedback/feedback.ts";
import { appendPlaceFilters, type PlaceFilters, readPlaceFilters, withParams } from "../filters/filter-params.ts";

/** The filters in the URL of the inbox. */
export interface FeedbackFilters extends PlaceFilters {
  tab: FeedbackStatus;
  search: string;
  /** Only feedback older than the one with this id. Null: from the newest on. */
  before: number | null;
}

const MAX_SEARCH_LENGTH = 2_000;

/** Reads the filters. It never fails: unknown values become the default. */
export function parseFeedbackFilters(params: URLSearchParams): FeedbackFilters {
  const tab = params.get("tab");
  return {
    ...readPlaceFilters(params),
    tab: FEEDBACK_STATUSES.find((status) => status === tab) ?? "unresolved",
    search: (params.get("q") ?? "").trim().slice(0, MAX_SEARCH_LENGTH),
    before: toFeedbackId(params.get("before") ?? ""),
  };
}

/** The address of the inbox, or of one piece of feedback in it. After a change of the filters it begins with the newest. */
export function toFeedbackPath(
  filters: FeedbackFilters,
  { open = null, ...change }: Partial<FeedbackFilters> & { open?: number | null } = {},
): string {
  const next = { ...filters, ...(open === null ? { before: null } : {}), ...change };
  const params = new URLSearchParams();
  appendPlaceFilters(params, next);
  if (next.tab !== "unresolved") params.set("tab", next.tab);
  if (next.search) params.set("q", next.search);
  if (next.before !== null) params.set("before", String(next.before));
  return withParams(open === null ? "/feedback" : `/feedback/${open}`, params);
}

/** The id of a piece of feedback. Null: the text is none. Ids below 0 belong to feedback from before there was an inbox. */
export function toFeedbackId(text: string): number | null {
  return /^-?[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
