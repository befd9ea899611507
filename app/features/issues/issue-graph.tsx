import { Link, useSearchParams } from "react-router";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { Card } from "../../ui/card.tsx";
import { toDeployMarks } from "../releases/to-deploy-marks.ts";
import type { IssuePage } from "./get-issue-page.server.ts";
import { toIssuePath, withTag } from "./issue-paths.ts";

/** The events over time, and their distribution over the most important tags. */
export function IssueGraph({ page }: { page: IssuePage }) {
  const { issue, range, graph, counts, tagPreview } = page;
  const [search] = useSearchParams();
  const isUsers = search.get("graph") === "users";
  return (
    <Card className="issue-graph">
      <nav aria-label="Graph" className="issue-graph-switch">
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
      <BarGraph
        label={isUsers ? "Users over time" : "Events over time"}
        unit={isUsers ? "users" : "events"}
        series={[{ label: isUsers ? "Users" : "Events", fillClassName: "fill-muted" }]}
        buckets={graph.map((bucket) => ({ at: bucket.at, values: [isUsers ? bucket.users : bucket.events] }))}
        bucketMs={range.graph.bucketMs}
        markers={toDeployMarks(page.deploys)}
        total={isUsers ? counts.users : counts.events}
        heightClassName="h-16"
      />
      {tagPreview.length > 0 && (
        <ul className="issue-tags" aria-label="Frequent tags">
          {tagPreview.map((tag) => (
            <TagBar key={tag.key} tag={tag} issueId={issue.id} search={search} />
          ))}
        </ul>
      )}
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

/** One tag key: its most frequent value, a bar with the shares of its values, and the share of the first value. */
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
  const others = tag.total - tag.values.reduce((sum, value) => sum + value.count, 0);
  return (
    <li>
      <span className="truncate text-muted">{tag.key}</span>
      <Link
        to={toIssuePath(issueId, "/events", withTag(search, tag.key, top.value))}
        prefetch="intent"
        className="truncate hover:underline"
        title={`Events with ${tag.key} ${top.value}`}
      >
        <bdi>{top.value === "" ? "(empty)" : top.value}</bdi>
      </Link>
      <span className="issue-tag-bar" aria-hidden="true">
        {tag.values.map((value, index) => (
          <span
            key={value.value}
            className={SHADES[index] ?? "bg-ink/12"}
            style={{ flexGrow: value.count }}
            title={`${value.value}: ${value.count}`}
          />
        ))}
        {others > 0 && <span style={{ flexGrow: others }} />}
      </span>
      <span className="tabular text-right text-muted">{Math.round((top.count / tag.total) * 100)}%</span>
    </li>
  );
}
