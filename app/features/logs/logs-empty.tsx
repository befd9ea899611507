import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { LogsPage } from "./get-logs-page.server.ts";
import { type LogFilters, toLogsPath } from "./log-filters.ts";

/** Why there are no lines, and what to do about it. */
export function LogsEmpty({ filters, emptiness }: { filters: LogFilters; emptiness: LogsPage["emptiness"] }) {
  if (emptiness === "no-line")
    return (
      <EmptyState isOfEvents title="No log lines yet">
        <p>SDKs send logs when they are told to. In JavaScript:</p>
        <pre className="log-example">
          {'Sentry.init({ dsn: "…", enableLogs: true });\nSentry.logger.info("Hello");'}
        </pre>
        <p>
          In Python, it is <code>enable_logs=True</code>. In Go and Rust, a handler of <code>slog</code> and a layer of{" "}
          <code>tracing</code> send them. Other SDKs have an option of the same name.
        </p>
      </EmptyState>
    );
  if (emptiness === "refused")
    return <EmptyState title="Nothing was searched for">The search says which part is not understood.</EmptyState>;
  return (
    <EmptyState
      isOfEvents
      title="No line matches"
      actions={
        <>
          {filters.search !== "" && <LinkButton to={toLogsPath(filters, { search: "" })}>Clear the search</LinkButton>}
          <LinkButton to={toLogsPath(filters, { range: "90d", window: null })}>Look at 90 days</LinkButton>
        </>
      }
    >
      Try other words, or another time range, project or environment.
    </EmptyState>
  );
}
