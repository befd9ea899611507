import { X } from "lucide-react";
import { Form, Link, useLocation, useSearchParams, useSubmit } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { IssuePage } from "./get-issue-page.server.ts";
import type { IssueTag } from "./issue-page-filter.ts";
import { findTab, toIssuePath, toKept, withoutTag } from "./issue-paths.ts";
import { ISSUE_PERIODS } from "./issue-range.ts";

/** The views of the issue and, to their right, the filters that all views share. */
export function IssueBar({ page }: { page: IssuePage }) {
  const { issue, range, environment, environments, tags, userNames, counts } = page;
  const submit = useSubmit();
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const mayChange = useMay("event:write");
  // After a change of filters, the table of events stays open. A single event does not, because it may no longer match: the page
  // shows the latest event that does.
  const tab = findTab(pathname);
  const others = [...toKept(search)].filter(([name]) => name !== "environment" && name !== "period");
  return (
    <div className="issue-bar">
      <TabLinks
        label="Views of this issue"
        tabs={[
          { to: toIssuePath(issue.id, "", search), label: "Event", isCurrent: tab === null },
          {
            to: toIssuePath(issue.id, "/events", search),
            label: "Events",
            count: counts.events.toLocaleString("en"),
            isCurrent: tab === "events",
          },
          { to: toIssuePath(issue.id, "/tags", search), label: "Tags", isCurrent: tab === "tags" },
          {
            to: toIssuePath(issue.id, "/similar", search),
            label: "Similar",
            isCurrent: tab === "similar",
            ...(mayChange && { command: "Merge with a similar issue…" }),
          },
          {
            to: toIssuePath(issue.id, "/split", search),
            label: "Split…",
            isCurrent: tab === "split",
            ...(mayChange && { command: "Split by a value…" }),
          },
        ]}
      />
      <Form
        action={`/issues/${issue.id}${tab === null ? "" : `/${tab}`}`}
        className="issue-scope"
        onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true, replace: true })}
      >
        {tags.map((tag) => (
          <TagChip
            key={`${tag.key}:${tag.value}`}
            tag={tag}
            words={(tag.key === "user" && userNames[tag.value]) || tag.value || "(empty)"}
            search={search}
          />
        ))}
        <Select
          controlSize="sm"
          name="environment"
          aria-label="Environment"
          defaultValue={environment}
          className="w-auto! max-w-44"
        >
          <option value="">All environments</option>
          {toOptions([...new Set(environment === "" ? environments : [...environments, environment])])}
        </Select>
        <Select
          controlSize="sm"
          name="period"
          aria-label="Time range"
          defaultValue={range.period}
          className="w-auto! max-w-44"
        >
          {toOptions(ISSUE_PERIODS, ({ value, label }) => [value, label])}
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
    </div>
  );
}

/** One tag that events must have, with a link that removes it. */
function TagChip({ tag: { key, value }, words, search }: { tag: IssueTag; words: string; search: URLSearchParams }) {
  return (
    <span className="inline-flex h-7 min-w-0 max-w-full items-center gap-1 rounded-md bg-mark-wash pl-2 font-mono text-mark-ink text-xs">
      <span className="truncate">
        {key}: <bdi>{words}</bdi>
      </span>
      <Link
        to={`?${withoutTag(search, key, value)}`}
        preventScrollReset
        aria-label={`Stop filtering by ${key} ${words}`}
        className="grid size-7 shrink-0 place-items-center rounded-md hover:bg-hover pointer-coarse:size-9"
      >
        <X aria-hidden="true" className="size-3.5" />
      </Link>
    </span>
  );
}
