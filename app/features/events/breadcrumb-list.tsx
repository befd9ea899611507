import { Bug, CircleAlert, Globe, MousePointerClick, Navigation, SquareTerminal, Tag, Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import type { Breadcrumb, SentryEvent } from "../../domain/event.ts";
import { LEVEL_CLASS_NAMES, type LevelName } from "../../ui/level-mark.tsx";
import { ValueTree } from "./value-tree.tsx";

/** The last ones are shown; the earlier ones open on demand. */
const SHOWN = 12;

/** What happened before, oldest first, with the error itself as the last row; times are relative to it. */
export function BreadcrumbList({ event, title }: { event: SentryEvent; title: string }) {
  const crumbs = event.breadcrumbs?.values ?? [];
  const earlier = crumbs.slice(0, -SHOWN);
  const rows = (list: Breadcrumb[]) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: breadcrumbs do not move
    list.map((crumb, index) => <CrumbRow key={index} crumb={crumb} eventAt={event.timestamp} />);
  return (
    <>
      {earlier.length > 0 && (
        <details className="earlier-crumbs">
          <summary>{earlier.length === 1 ? "1 earlier breadcrumb" : `${earlier.length} earlier breadcrumbs`}</summary>
          <ol className="crumbs">{rows(earlier)}</ol>
        </details>
      )}
      <ol className="crumbs">
        {rows(crumbs.slice(-SHOWN))}
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

function CrumbRow({ crumb, eventAt }: { crumb: Breadcrumb; eventAt: number }) {
  const level = toLevelName(crumb.level);
  const isLoud = level === "warning" || level === "error" || level === "fatal";
  const { text, rest } = describe(crumb);
  return (
    <li className="crumb">
      <span className={`crumb-icon ${isLoud ? LEVEL_CLASS_NAMES[level].text : ""}`}>{toIcon(crumb)}</span>
      <span className="crumb-category">
        {crumb.category ?? crumb.type}
        {isLoud && <span className={`crumb-level ${LEVEL_CLASS_NAMES[level].text}`}>{level}</span>}
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

/** The sentence of a breadcrumb, and the data that the sentence does not say. */
function describe(crumb: Breadcrumb): { text: ReactNode; rest: Record<string, unknown> | null } {
  const data = { ...crumb.data };
  if (crumb.type === "http" || (typeof data.url === "string" && data.status_code !== undefined)) {
    const { method, url, status_code: status, ...rest } = data;
    const failed = Number(status) >= 400;
    const text = (
      <>
        {String(method ?? "GET")} {String(url ?? crumb.message ?? "")}{" "}
        {status !== undefined && (
          <span className={failed ? "font-semibold text-error" : "text-muted"}>[{String(status)}]</span>
        )}
      </>
    );
    return { text, rest: keep(rest) };
  }
  if (crumb.type === "navigation" || (data.from !== undefined && data.to !== undefined)) {
    const { from, to, ...rest } = data;
    return { text: crumb.message ?? `${String(from ?? "?")} → ${String(to ?? "?")}`, rest: keep(rest) };
  }
  return { text: crumb.message ?? "", rest: keep(data) };
}

function keep(data: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(data).length > 0 ? data : null;
}

function toIcon({ type, category = "" }: Breadcrumb): ReactNode {
  if (type === "http" || /fetch|xhr|http/.test(category)) return <Globe aria-hidden="true" />;
  if (type === "navigation") return <Navigation aria-hidden="true" />;
  if (type === "error" || category === "exception") return <Bug aria-hidden="true" />;
  if (type === "user" || type === "ui" || category.startsWith("ui")) return <MousePointerClick aria-hidden="true" />;
  if (category === "console" || type === "debug") return <SquareTerminal aria-hidden="true" />;
  if (category.startsWith("query") || category.startsWith("sql") || type === "query")
    return <Waypoints aria-hidden="true" />;
  return <Tag aria-hidden="true" />;
}

function toLevelName(level: string): LevelName {
  return level === "fatal" || level === "error" || level === "warning" || level === "debug" ? level : "info";
}

/** `−4.1 s`, `−2 min 05 s`, `+0.2 s`. */
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
