import type { ProfileWindow } from "../../domain/profiles/weigh-samples.ts";
import { readAttachmentsPage } from "../events/attachment-list.tsx";

const FUNCTION_ORDERS = ["self", "total"] as const;
export type FunctionOrder = (typeof FUNCTION_ORDERS)[number];

/** The options in the address of a profile's page. */
export interface ProfileOptions {
  /** Null: the thread of the transaction, or the one with most samples. */
  thread: string | null;
  order: FunctionOrder;
  /** The selected time of a profiler. Null: all. */
  window: ProfileWindow | null;
  /** The call that takes the whole width, as `printZoom` writes it. Null: none. */
  zoom: string | null;
  /** The page of its list of files, from 1. */
  filesPage: number;
}

export function readProfileOptions(search: URLSearchParams): ProfileOptions {
  const [fromUs, toUs] = [readMs(search.get("from")), readMs(search.get("to"))];
  return {
    thread: search.get("thread"),
    order: FUNCTION_ORDERS.find((order) => order === search.get("order")) ?? "self",
    window: fromUs !== null && toUs !== null && fromUs < toUs ? { fromUs, toUs } : null,
    zoom: search.get("zoom"),
    filesPage: readAttachmentsPage(search),
  };
}

export function toProfilePath(id: string, options: Partial<ProfileOptions> = {}): string {
  const { thread, order, window, zoom, filesPage } = { ...readProfileOptions(new URLSearchParams()), ...options };
  const search = new URLSearchParams();
  if (thread !== null) search.set("thread", thread);
  if (order !== "self") search.set("order", order);
  if (window !== null) {
    search.set("from", String(window.fromUs / 1_000));
    search.set("to", String(window.toUs / 1_000));
  }
  if (zoom !== null) search.set("zoom", zoom);
  if (filesPage > 1) search.set("files", String(filesPage));
  return `/events/${id}${search.size > 0 ? `?${search}` : ""}`;
}

/** Microseconds from a text with milliseconds since 1970. Null: it is something else. */
function readMs(text: string | null): number | null {
  return text !== null && /^\d{1,13}(?:\.\d{1,3})?$/.test(text) ? Number(text) * 1_000 : null;
}
