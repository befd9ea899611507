import { useNavigation } from "react-router";
import { formatLine } from "../../domain/metrics/say-metric.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { MetricChart } from "./metric-chart.tsx";
import { PeriodTable, sayTimes } from "./metric-facts.tsx";
import type { MetricPreview } from "./preview-metric.server.ts";

/** Shown in place of a preview until there is one. */
export function PreviewHint({ formId, isPending }: { formId: string; isPending: boolean }) {
  return (
    <Panel title="Preview" actions={<PreviewButton formId={formId} isPending={isPending} />}>
      <p className="text-sm">
        “Preview” runs the monitor over what is stored of the last 14 days: its values with the line, and when an issue
        would have opened. It saves nothing.
      </p>
    </Panel>
  );
}

function PreviewButton({ formId, isPending }: { formId: string; isPending: boolean }) {
  const isPressed = useNavigation().formData?.get("intent") === "preview";
  return (
    <Button type="submit" form={formId} name="intent" value="preview" size="sm" isPending={isPressed || isPending}>
      Preview
    </Button>
  );
}

/** What the monitor would have done in the last two weeks. */
export function PreviewPanel({
  preview,
  formId,
  isPending,
}: {
  preview: MetricPreview;
  formId: string;
  isPending: boolean;
}) {
  const { settings, times, periods, range, suggestion, unknown, tookMs } = preview;
  return (
    <Panel
      title="Preview"
      actions={<PreviewButton formId={formId} isPending={isPending} />}
      description={`The last 14 days, in ${formatDuration(tookMs * 1_000)}. Nothing was saved.`}
      isFlush
    >
      <p className="px-4 pt-3 text-base" role="status">
        {range === null ? (
          <b>Nothing that is stored fits: there is no value.</b>
        ) : (
          <>
            <b className="text-lg">{sayTimes(times)}</b> an issue would have opened.
          </>
        )}
      </p>
      {range !== null && (
        <p className="px-4 text-muted text-sm">
          Values from {formatLine(settings, range.least)} to {formatLine(settings, range.most)}, half of them up to{" "}
          {formatLine(settings, range.median)}.
        </p>
      )}
      <div className="px-4 py-3">
        <MetricChart
          settings={settings}
          chart={preview}
          markers={periods.map(({ startedAt, level }) => ({ at: startedAt, label: `Would have opened: ${level}` }))}
          span="two hours"
        />
      </div>
      {suggestion && (
        <div className="flex flex-wrap items-center gap-3 border-line border-t px-4 py-2.5 text-sm">
          <p className="mr-auto">
            <b>
              At {formatLine(settings, suggestion.line)} instead of {formatLine(settings, settings.critical)}:
            </b>{" "}
            {sayTimes(suggestion.times)} instead of {times.toLocaleString("en")}.
          </p>
          <Button type="submit" form={formId} name="intent" value={`use:${suggestion.line}`} size="sm">
            Use {formatLine(settings, suggestion.line)}
          </Button>
        </div>
      )}
      {periods.length > 0 && (
        <div className="max-h-80 overflow-y-auto border-line border-t">
          <PeriodTable label="When an issue would have opened" settings={settings} periods={periods} now={preview.to} />
        </div>
      )}
      {periods.length < times && (
        <p className="px-4 py-2 text-muted text-xs">The newest {periods.length} are listed.</p>
      )}
      <div className="border-line border-t px-4 py-3">
        <h3 className="pb-1 font-semibold text-sm">What cannot be reconstructed</h3>
        <ul className="grid list-disc gap-1 pl-5 text-muted text-xs">
          {unknown.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
