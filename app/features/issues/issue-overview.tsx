import { Form, Link, useSearchParams, useSubmit } from "react-router";
import type { TagDistribution } from "../../stores/event-store.ts";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/field.tsx";
import { toDeployMarks } from "../releases/to-deploy-marks.ts";
import type { IssuePage } from "./get-issue-page.server.ts";
import { ISSUE_PERIODS } from "./issue-range.ts";

/** The filters of the page, the events over time, and how they spread over the tags that matter most. */
export function IssueOverview({ page }: { page: IssuePage }) {
  const { issue, range, environment, environments, graph, counts, tagPreview } = page;
  const submit = useSubmit();
  const [search] = useSearchParams();
  const isUsers = search.get("graph") === "users";
  return (
    <Card className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Form
          className="mr-auto flex flex-wrap items-center gap-2"
          onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true, replace: true })}
        >
          <Select
            controlSize="sm"
            name="environment"
            aria-label="Environment"
            defaultValue={environment}
            key={`environment ${environment}`}
            className="w-auto!"
          >
            <option value="">All environments</option>
            {environments.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
          <Select
            controlSize="sm"
            name="period"
            aria-label="Time range"
            defaultValue={range.period}
            key={`period ${range.period}`}
            className="w-auto!"
          >
            {ISSUE_PERIODS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <noscript>
            <Button type="submit" size="sm">
              Show
            </Button>
          </noscript>
        </Form>
        <nav aria-label="Graph" className="flex gap-1 text-xs">
          <GraphLink
            search={search}
            name="events"
            isCurrent={!isUsers}
            label={`Events ${counts.events.toLocaleString("en")}`}
          />
          <GraphLink
            search={search}
            name="users"
            isCurrent={isUsers}
            label={`Users ${counts.users.toLocaleString("en")}`}
          />
        </nav>
      </div>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <BarGraph
          label={isUsers ? "Users over time" : "Events over time"}
          unit={isUsers ? "users" : "events"}
          series={[{ label: isUsers ? "Users" : "Events", fillClassName: "fill-muted" }]}
          buckets={graph.map((bucket) => ({ at: bucket.at, values: [isUsers ? bucket.users : bucket.events] }))}
          bucketMs={range.graph.bucketMs}
          markers={toDeployMarks(page.deploys)}
          heightClassName="h-24"
        />
        {tagPreview.length > 0 && (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2.5">
            {tagPreview.map((tag) => (
              <TagBar key={tag.key} tag={tag} issueId={issue.id} />
            ))}
            <Link
              to={`/issues/${issue.id}/events`}
              prefetch="intent"
              className="justify-self-start text-muted text-xs hover:text-ink hover:underline"
            >
              All tags and events
            </Link>
          </div>
        )}
      </div>
    </Card>
  );
}

function GraphLink({
  search,
  name,
  isCurrent,
  label,
}: {
  search: URLSearchParams;
  name: string;
  isCurrent: boolean;
  label: string;
}) {
  const next = new URLSearchParams(search);
  next.set("graph", name);
  return (
    <Link
      to={`?${next}`}
      replace
      preventScrollReset
      aria-current={isCurrent ? "true" : undefined}
      className="tabular rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-ink aria-[current=true]:bg-mark-wash aria-[current=true]:font-semibold aria-[current=true]:text-mark-ink"
    >
      {label}
    </Link>
  );
}

const SHADES = ["bg-ink/70", "bg-ink/45", "bg-ink/30", "bg-ink/20", "bg-ink/12"];

/** One key: a bar split by value, and the most frequent value in words. */
export function TagBar({ tag, issueId }: { tag: TagDistribution; issueId: number }) {
  const [top] = tag.values;
  if (!top) return null;
  const percent = Math.round((top.count / tag.total) * 100);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1 text-xs">
      <div className="flex items-baseline gap-2">
        <span className="mr-auto min-w-0 shrink truncate font-mono text-muted">{tag.key}</span>
        <Link
          to={`/issues/${issueId}/events?${new URLSearchParams({ tag: `${tag.key}:${top.value}` })}`}
          prefetch="intent"
          className="min-w-0 max-w-[70%] shrink-0 truncate font-mono hover:underline"
        >
          {top.value}
        </Link>
        <span className="tabular shrink-0 text-muted">{percent}%</span>
      </div>
      <div className="flex h-1.5 gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
        {tag.values.map((value, index) => (
          <span
            key={value.value}
            className={SHADES[index] ?? "bg-ink/12"}
            style={{ flexGrow: value.count }}
            title={`${value.value}: ${value.count}`}
          />
        ))}
        {tag.total > tag.values.reduce((sum, value) => sum + value.count, 0) && (
          <span style={{ flexGrow: tag.total - tag.values.reduce((sum, value) => sum + value.count, 0) }} />
        )}
      </div>
    </div>
  );
}
