import { X } from "lucide-react";
import { Form, Link, useLocation, useSearchParams, useSubmit } from "react-router";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/field.tsx";
import { toDeployMarks } from "../releases/to-deploy-marks.ts";
import type { IssuePage } from "./get-issue-page.server.ts";
import type { IssueTag } from "./issue-page-filter.ts";
import { toIssuePath, withoutTag, withTag } from "./issue-paths.ts";
import { ISSUE_PERIODS } from "./issue-range.ts";

/** The filters of the page, the events over time, and how they spread over the tags that matter most. */
export function IssueOverview({ page }: { page: IssuePage }) {
  const { issue, range, environment, environments, tags, graph, counts, tagPreview } = page;
  const submit = useSubmit();
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  // The table of events stays; an event may not be among those that are left, and the latest of them takes its place.
  const target = pathname.endsWith("/events") ? "/events" : "";
  const others = [...search].filter(([name]) => !["environment", "period", "cursor"].includes(name));
  const isUsers = search.get("graph") === "users";
  return (
    <Card className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Form
          action={`/issues/${issue.id}${target}`}
          className="flex flex-wrap items-center gap-2"
          onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true, replace: true })}
        >
          <Select
            controlSize="sm"
            name="environment"
            aria-label="Environment"
            defaultValue={environment}
            className="w-auto! max-w-52"
          >
            <option value="">All environments</option>
            {[...new Set(environment === "" ? environments : [...environments, environment])].map((name) => (
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
            className="w-auto! max-w-52"
          >
            {ISSUE_PERIODS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          {others.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          <noscript>
            <Button type="submit" size="sm">
              Show
            </Button>
          </noscript>
        </Form>
        {tags.map((tag) => (
          <TagChip key={`${tag.key}:${tag.value}`} tag={tag} search={search} />
        ))}
        <nav aria-label="Graph" className="ml-auto flex gap-1 text-xs">
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
      <div
        className={`grid gap-x-6 gap-y-4 ${tagPreview.length > 0 ? "lg:grid-cols-[minmax(0,1fr)_17rem]" : "grid-cols-[minmax(0,1fr)]"}`}
      >
        <BarGraph
          label={isUsers ? "Users over time" : "Events over time"}
          unit={isUsers ? "users" : "events"}
          series={[{ label: isUsers ? "Users" : "Events", fillClassName: "fill-muted" }]}
          buckets={graph.map((bucket) => ({ at: bucket.at, values: [isUsers ? bucket.users : bucket.events] }))}
          bucketMs={range.graph.bucketMs}
          markers={toDeployMarks(page.deploys)}
          total={isUsers ? counts.users : counts.events}
          heightClassName="h-24"
        />
        {tagPreview.length > 0 && (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2.5">
            {tagPreview.map((tag) => (
              <TagBar key={tag.key} tag={tag} issueId={issue.id} search={search} />
            ))}
            <Link
              to={toIssuePath(issue.id, "/events", search)}
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

/** A tag that the events must have, and the way to take it away again. */
function TagChip({ tag: { key, value }, search }: { tag: IssueTag; search: URLSearchParams }) {
  return (
    <span className="inline-flex h-7 min-w-0 max-w-full items-center gap-1 rounded-md bg-mark-wash pl-2 font-mono text-mark-ink text-xs">
      <span className="truncate">
        {key}: {value === "" ? "(empty)" : value}
      </span>
      <Link
        to={`?${withoutTag(search, key, value)}`}
        preventScrollReset
        aria-label={`Stop filtering by ${key} ${value}`}
        className="grid size-7 shrink-0 place-items-center rounded-md hover:bg-hover pointer-coarse:size-9"
      >
        <X aria-hidden="true" className="size-3.5" />
      </Link>
    </span>
  );
}

const SHADES = ["bg-ink/70", "bg-ink/45", "bg-ink/30", "bg-ink/20", "bg-ink/12"];

/** One key: a bar split by value, and the most frequent value in words. */
function TagBar({
  tag,
  issueId,
  search,
}: {
  tag: IssuePage["tagPreview"][number];
  issueId: number;
  search: URLSearchParams;
}) {
  const [top] = tag.values;
  if (!top) return null;
  const percent = Math.round((top.count / tag.total) * 100);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1 text-xs">
      <div className="flex items-baseline gap-2">
        <span className="mr-auto min-w-0 shrink truncate font-mono text-muted">{tag.key}</span>
        <Link
          to={toIssuePath(issueId, "/events", withTag(search, tag.key, top.value))}
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
