import { Link } from "react-router";
import { formatFigure } from "../../domain/metrics/say-metric.ts";
import { Button } from "../../ui/button.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import type { MetricListItem } from "./get-metric-pages.server.ts";
import { MetricStatusBadge } from "./metric-facts.tsx";

export function MetricList({ items }: { items: readonly MetricListItem[] }) {
  return (
    <ul className="overflow-clip rounded-lg border border-line bg-surface" aria-label="Metric monitors">
      {items.map((item) => {
        const { id, settings, state, isPaused, points, project, sentence } = item;
        const value = state.last?.value ?? null;
        return (
          <li key={id} className="metric-row">
            <div>
              <MetricStatusBadge {...item} />
              {!isPaused && state.since !== null && (
                <p className="text-muted text-xs">
                  since <RelativeTime at={state.since} form="age" />
                </p>
              )}
            </div>
            <div className="min-w-0">
              <p className="truncate font-semibold text-sm">
                <Link to={`/metric-monitors/${id}`} prefetch="intent" className="hover:underline">
                  <bdi>{settings.name}</bdi>
                </Link>
              </p>
              <p className="wrap-anywhere text-muted text-xs">
                {project.name}: {sentence}
              </p>
            </div>
            <Sparkline
              values={points.map((point) => Math.max(0, point ?? 0))}
              label={`${settings.name}: its last ${points.filter((point) => point !== null).length} values`}
              className="metric-spark"
            />
            <p className="tabular text-right text-sm">{value === null ? "" : formatFigure(settings.figure, value)}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** Creates a deleted monitor again. */
export function RestoreMetric({ fields }: { fields: ReadonlyArray<readonly [name: string, value: string]> }) {
  return (
    <form method="post">
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" name="intent" value="restore" size="sm" data-shortcut="u">
        Undo
      </Button>
    </form>
  );
}
