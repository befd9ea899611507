import { type FormEvent, useEffect, useRef, useState } from "react";
import { Form, useFetcher, useNavigation } from "react-router";
import {
  METRIC_DATASETS,
  METRIC_FIGURES,
  METRIC_LIMITS,
  METRIC_WINDOWS,
  type MetricDataset,
} from "../../domain/metrics/metric-monitor.ts";
import { readMetricForm, readMetricSettings } from "../../domain/metrics/read-metric-settings.ts";
import { nameFigure, sayMetric, sayWindow } from "../../domain/metrics/say-metric.ts";
import type { HealthGoal } from "../../domain/releases/release-health.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { MetricLineFields } from "./metric-line-fields.tsx";
import { PreviewHint, PreviewPanel } from "./metric-preview.tsx";
import type { SubmittedMetric } from "./submit-metric.server.ts";

const METRIC_FORM_ID = "metric-monitor";
/** The pause after the last key before the preview is read, so that not every letter causes a request. Milliseconds. */
const PREVIEW_AFTER_MS = 700;

const DATASET_WORDS: Record<MetricDataset, string> = {
  errors: "Errors",
  transactions: "Transactions",
  spans: "Spans",
  logs: "Log lines",
  sessions: "Sessions (release health)",
};

/** The monitor in words, its form, and what it would have done. With script the preview follows what is typed. */
export function MetricForm({
  values,
  result,
  projects,
  goal,
  submit,
}: {
  values: Record<string, string>;
  /** The result of the action: a preview, or a refusal. */
  result: SubmittedMetric | null;
  /** The projects to choose from for a new monitor. The form needs one of them. */
  projects?: ReadonlyArray<{ slug: string; name: string; goal: HealthGoal }>;
  /** For a monitor that exists: the goal of its project. */
  goal?: HealthGoal;
  submit: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<SubmittedMetric>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState<string | null>(null);
  const [comparison, setComparison] = useState(values.comparison);
  const pressed = useNavigation().formData?.get("intent");
  useEffect(() => () => clearTimeout(timer.current), []);
  // A new monitor shows at once what it would do. An older one has its chart.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the page was opened with is asked for here
  useEffect(() => {
    if (projects && result === null && form.current) askPreview(form.current);
  }, []);

  const refusal = result && !result.ok ? result : null;
  const shown = fetcher.data ?? result;
  const preview = shown?.ok ? shown.preview : null;
  const errorOf = toErrorOf(refusal);
  const field = toFieldOf(refusal);
  const goalOf = (project: unknown) =>
    goal ?? projects?.find(({ slug }) => slug === project)?.goal ?? projects?.[0]?.goal;
  const text = typed ?? sayFields(values, goalOf(values.project));

  function follow(event: FormEvent<HTMLFormElement>): void {
    const element = event.currentTarget;
    const form = new FormData(element);
    const typedMetric = readMetricForm(form);
    const read = readMetricSettings({ ...typedMetric, name: "x" }, Date.now(), goalOf(form.get("project")));
    setComparison(typedMetric.comparison);
    setTyped(read.ok ? sayMetric(read.settings) : read.message);
    clearTimeout(timer.current);
    if (read.ok) timer.current = setTimeout(askPreview, PREVIEW_AFTER_MS, element);
  }

  function askPreview(element: HTMLFormElement): void {
    const data = new FormData(element);
    if (projects && !data.get("project")) return;
    data.set("intent", "preview");
    void fetcher.submit(data, { method: "post" });
  }

  return (
    <>
      <p
        aria-live="polite"
        className="wrap-anywhere rounded-md border-mark-edge border-l-3 bg-mark/25 px-4 py-3 text-base leading-relaxed"
      >
        {text}
      </p>
      <div className="metric-columns">
        <Form
          id={METRIC_FORM_ID}
          ref={form}
          method="post"
          onInput={follow}
          preventScrollReset
          className="grid min-w-0 gap-4"
        >
          <Card className="grid gap-4 p-4">
            <TextField
              label="Name"
              {...field("name", values.name)}
              required
              maxLength={METRIC_LIMITS.nameChars}
              autoComplete="off"
              placeholder="Checkout is slow"
            />
            {projects && (
              <SelectField label="Project" {...field("project", values.project)}>
                {toOptions(projects, ({ slug, name }) => [slug, name])}
              </SelectField>
            )}
            <SelectField
              label="Figure"
              name="measure"
              defaultValue={values.measure}
              error={errorOf("figure") ?? errorOf("dataset")}
            >
              {METRIC_DATASETS.map((dataset) => (
                <optgroup key={dataset} label={DATASET_WORDS[dataset]}>
                  {toOptions(METRIC_FIGURES[dataset], (figure) => [
                    `${dataset}:${figure}`,
                    `${DATASET_WORDS[dataset].replace(/ \(.*/, "")}: ${nameFigure(figure)}`,
                  ])}
                </optgroup>
              ))}
            </SelectField>
            <CodeField
              label="Search"
              {...field("query", values.query)}
              maxLength={METRIC_LIMITS.queryChars}
              placeholder="transaction:/checkout"
              hint="Only what fits counts. The same language as in the lists; empty: everything. Sessions have release: alone, like release:latest."
            />
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                label="Environment"
                {...field("environment", values.environment)}
                autoComplete="off"
                hint="Empty: all"
              />
              <SelectField label="Within" {...field("windowMinutes", values.windowMinutes)}>
                {toOptions(METRIC_WINDOWS, (windowMinutes) => [windowMinutes, sayWindow({ windowMinutes })])}
              </SelectField>
            </div>
          </Card>
          <MetricLineFields values={values} refusal={refusal} isOfGoal={comparison === "goal"} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" name="intent" value="save" variant="primary" isPending={pressed === "save"}>
              {submit}
            </Button>
          </div>
        </Form>
        <div className="grid min-w-0 gap-4">
          {preview ? (
            <PreviewPanel preview={preview} formId={METRIC_FORM_ID} isPending={fetcher.state !== "idle"} />
          ) : (
            <PreviewHint formId={METRIC_FORM_ID} isPending={fetcher.state !== "idle"} />
          )}
        </div>
      </div>
    </>
  );
}

function sayFields(values: Record<string, string>, goal: HealthGoal | undefined): string {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const read = readMetricSettings({ ...readMetricForm(form), name: "x" }, Date.now(), goal);
  return read.ok ? sayMetric(read.settings) : read.message;
}
