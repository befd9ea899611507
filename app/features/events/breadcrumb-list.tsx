import { Bug, CircleAlert, Globe, MousePointerClick, Navigation, SquareTerminal, Tag, Waypoints } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Breadcrumb, SentryEvent } from "../../domain/event.ts";
import { Input, Select } from "../../ui/field.tsx";
import { LEVEL_CLASS_NAMES } from "../../ui/level-mark.tsx";
import { toOptions } from "../../ui/options.tsx";
import {
  ALL_CRUMBS,
  type CrumbFilter,
  type CrumbKind,
  type CrumbSelection,
  filterCrumbs,
  isLoud,
  kindOfCrumb,
  listCrumbKinds,
  toLevelName,
} from "./breadcrumb-filter.ts";
import { ValueTree } from "./value-tree.tsx";

/** The number of breadcrumbs that are shown, the latest ones. The earlier ones open on demand. */
const SHOWN = 12;

/** The breadcrumbs, oldest first, and the error itself as the last row. Times are relative to the error. */
export function BreadcrumbList({ event, title }: { event: SentryEvent; title: string }) {
  const crumbs = event.breadcrumbs?.values ?? [];
  const [filter, setFilter] = useState<CrumbFilter>(ALL_CRUMBS);
  const isFiltered = filter.text.trim() !== "" || filter.selection !== "all";
  const shown = isFiltered ? filterCrumbs(crumbs, filter) : crumbs;
  const earlier = isFiltered ? [] : crumbs.slice(0, -SHOWN);
  const rows = (list: Breadcrumb[]) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs do not move
    list.map((crumb, index) => <CrumbRow key={index} crumb={crumb} eventAt={event.timestamp} />);
  return (
    <>
      {crumbs.length > SHOWN && (
        <CrumbToolbar
          crumbs={crumbs}
          filter={filter}
          onChange={setFilter}
          words={isFiltered ? `${shown.length} of ${crumbs.length}` : ""}
        />
      )}
      {earlier.length > 0 && (
        <details className="earlier-crumbs">
          <summary>{earlier.length === 1 ? "1 earlier breadcrumb" : `${earlier.length} earlier breadcrumbs`}</summary>
          <ol className="crumbs">{rows(earlier)}</ol>
        </details>
      )}
      <ol className="crumbs">
        {rows(isFiltered ? shown : crumbs.slice(-SHOWN))}
        <li className="crumb crumb-error">
          <span className="crumb-icon">
            <CircleAlert aria-hidden="true" />
          </span>
          <span className="crumb-category">this event</span>
          <span className="crumb-text">{title}</span>
          <span className="crumb-time">0 s</span>
        </li>
      </ol>
    </>
  );
}

/** Filters the rows while the reader types. Without script all rows are shown, and the browser's own search finds them. */
function CrumbToolbar({
  crumbs,
  filter,
  onChange,
  words,
}: {
  crumbs: readonly Breadcrumb[];
  filter: CrumbFilter;
  onChange: (filter: CrumbFilter) => void;
  /** A text that says how many are shown. Empty: all are. */
  words: string;
}) {
  return (
    <div className="crumb-toolbar needs-script">
      <Input
        type="search"
        controlSize="sm"
        aria-label="Search the breadcrumbs"
        placeholder="Search"
        className="max-w-60"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <Select
        controlSize="sm"
        aria-label="Which breadcrumbs"
        className="w-auto!"
        value={filter.selection}
        onChange={(event) => onChange({ ...filter, selection: event.target.value as CrumbSelection })}
      >
        <option value="all">All breadcrumbs</option>
        {crumbs.some(isLoud) && <option value="loud">Warnings and errors</option>}
        {toOptions(listCrumbKinds(crumbs), (kind) => [kind, KINDS[kind].label])}
      </Select>
      <span role="status" className="text-muted text-xs">
        {words}
      </span>
    </div>
  );
}

const KINDS: Record<CrumbKind, { label: string; icon: ReactNode }> = {
  http: { label: "Requests", icon: <Globe aria-hidden="true" /> },
  navigation: { label: "Navigation", icon: <Navigation aria-hidden="true" /> },
  error: { label: "Exceptions", icon: <Bug aria-hidden="true" /> },
  user: { label: "What the user did", icon: <MousePointerClick aria-hidden="true" /> },
  console: { label: "Console", icon: <SquareTerminal aria-hidden="true" /> },
  query: { label: "Queries", icon: <Waypoints aria-hidden="true" /> },
  other: { label: "Other", icon: <Tag aria-hidden="true" /> },
};

function CrumbRow({ crumb, eventAt }: { crumb: Breadcrumb; eventAt: number }) {
  const level = toLevelName(crumb.level);
  const { text, rest } = describe(crumb);
  return (
    <li className="crumb">
      <span className={`crumb-icon ${isLoud(crumb) ? LEVEL_CLASS_NAMES[level].text : ""}`}>
        {KINDS[kindOfCrumb(crumb)].icon}
      </span>
      <span className="crumb-category">
        {crumb.category ?? crumb.type}
        {isLoud(crumb) && <span className={`crumb-level ${LEVEL_CLASS_NAMES[level].text}`}>{level}</span>}
      </span>
      <span className="crumb-text">
        {text}
        {rest && (
          <span className="crumb-data">
            <ValueTree value={rest} />
          </span>
        )}
      </span>
      <span
        className="crumb-time"
        title={crumb.timestamp === undefined ? undefined : new Date(crumb.timestamp * 1000).toISOString()}
      >
        {crumb.timestamp === undefined ? "" : toOffset(crumb.timestamp - eventAt)}
      </span>
    </li>
  );
}

/** The sentence of a breadcrumb, and the data that is not in the sentence. */
function describe(crumb: Breadcrumb): { text: ReactNode; rest: Record<string, unknown> | null } {
  const data = { ...crumb.data };
  const message = crumb.message ?? "";
  if (crumb.type === "http" || (typeof data.url === "string" && data.status_code !== undefined)) {
    const { method, url, status_code: status, ...rest } = data;
    const failed = Number(status) >= 400;
    const address = String(url ?? message);
    const text = (
      <>
        {message !== address && `${message} `}
        {String(method ?? "GET")} {address}{" "}
        {status !== undefined && (
          <span className={failed ? "font-semibold text-error" : "text-muted"}>[{String(status)}]</span>
        )}
      </>
    );
    return { text, rest: keep(rest) };
  }
  // SDKs of phones also call it a navigation when a screen or the app appears or disappears. Such a breadcrumb has a state, and
  // neither `from` nor `to`.
  if (data.from !== undefined || data.to !== undefined) {
    const { from, to, ...rest } = data;
    return { text: `${message} ${String(from ?? "?")} → ${String(to ?? "?")}`.trim(), rest: keep(rest) };
  }
  return { text: message, rest: keep(data) };
}

function keep(data: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(data).length > 0 ? data : null;
}

/** An offset as text: `−4.1 s`, `−2 min 05 s`, `+0.2 s`. */
function toOffset(seconds: number): string {
  const sign = seconds > 0.0005 ? "+" : "−";
  const size = Math.abs(seconds);
  if (size < 0.0005) return "0 s";
  if (size < 1) return `${sign}${Math.round(size * 1000)} ms`;
  if (size < 60) return `${sign}${size.toFixed(1)} s`;
  const minutes = Math.floor(size / 60);
  if (minutes < 60) return `${sign}${minutes} min ${String(Math.floor(size % 60)).padStart(2, "0")} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
