import { MIN_WINDOW_US, type TimeWindow } from "../../domain/traces/time-window.ts";

/** How a trace is shown. All of it is in the address. */
export interface TraceOptions {
  view: TraceView;
  /** The selected time. Null: all of it. */
  window: TimeWindow | null;
  /** Only spans of these services. Empty: of all services. */
  services: readonly string[];
  /** Only spans with this op. Null: with any. */
  op: string | null;
  /** A search for spans. */
  words: string;
  /** Shows only spans that match the search, and their ancestors. */
  isFiltered: boolean;
  /** Ids of the folded spans. */
  folded: readonly string[];
  /** The key of the span whose details are open: its id, or its id with its place among spans of the same id. Null: none is open. */
  spanKey: string | null;
  /** Shows times as they were sent, even if the clocks seem to differ. */
  isAsSent: boolean;
}

export const TRACE_VIEWS = ["waterfall", "flame", "statistics", "logs"] as const;
export type TraceView = (typeof TRACE_VIEWS)[number];

const MAX_WORDS = 200;
/** Limits of what an address can hold. */
const MAX_FOLDED = 100;
const MAX_SERVICES = 50;
const MAX_NAME = 200;
/** A hundred days in microseconds. */
const MAX_US = 8.64e12;
const SPAN_ID = /^[0-9a-f]{16}$/;
const SPAN_KEY = /^[0-9a-f]{16}(?:\.[1-9]\d{0,6})?$/;

export function readTraceOptions(search: URLSearchParams): TraceOptions {
  const view = search.get("view");
  const span = search.get("span");
  return {
    view: TRACE_VIEWS.find((each) => each === view) ?? "waterfall",
    window: readWindow(search.get("from"), search.get("to")),
    services: [...new Set(search.getAll("service"))]
      .filter((name) => name !== "" && name.length <= MAX_NAME)
      .slice(0, MAX_SERVICES),
    op: search.get("op")?.slice(0, MAX_NAME) || null,
    words: (search.get("q") ?? "").slice(0, MAX_WORDS),
    isFiltered: search.has("only"),
    folded: (search.get("fold") ?? "")
      .split(".")
      .filter((id) => SPAN_ID.test(id))
      .slice(0, MAX_FOLDED),
    spanKey: span !== null && SPAN_KEY.test(span) ? span : null,
    isAsSent: search.get("clocks") === "sent",
  };
}

/** The options that differ from the defaults as search parameters, in a fixed order. Empty: none differ. */
export function writeTraceOptions(options: TraceOptions): string {
  const search = new URLSearchParams();
  if (options.view !== "waterfall") search.set("view", options.view);
  if (options.window !== null) {
    search.set("from", writeMs(options.window.fromUs));
    search.set("to", writeMs(options.window.toUs));
  }
  for (const name of options.services.slice(0, MAX_SERVICES)) search.append("service", name);
  if (options.op !== null) search.set("op", options.op);
  if (options.words !== "") search.set("q", options.words);
  if (options.isFiltered) search.set("only", "1");
  if (options.folded.length > 0) search.set("fold", options.folded.slice(-MAX_FOLDED).join("."));
  if (options.isAsSent) search.set("clocks", "sent");
  if (options.spanKey !== null) search.set("span", options.spanKey);
  return search.toString();
}

export function toTracePath(traceId: string, options: Partial<TraceOptions> = {}): string {
  const search = writeTraceOptions({ ...readTraceOptions(new URLSearchParams()), ...options });
  return `/traces/${traceId}${search === "" ? "" : `?${search}`}`;
}

/** A trace id in its stored form. Dashes and upper case are accepted. Null: the text is no trace id. */
export function readTraceId(text: string): string | null {
  const id = text.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id) ? id : null;
}

function readWindow(from: string | null, to: string | null): TimeWindow | null {
  const [fromUs, toUs] = [readMs(from), readMs(to)];
  return fromUs === null || toUs === null || toUs - fromUs < MIN_WINDOW_US ? null : { fromUs, toUs };
}

/** Milliseconds since the trace began, with microseconds as decimals. */
function writeMs(us: number): string {
  return String(Math.round(us) / 1000);
}

function readMs(text: string | null): number | null {
  if (text === null || !/^\d{1,10}(?:\.\d{1,3})?$/.test(text)) return null;
  const us = Math.round(Number(text) * 1000);
  return us <= MAX_US ? us : null;
}
