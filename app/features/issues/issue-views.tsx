import { TabLinks } from "../../ui/tab-links.tsx";
import { ISSUE_VIEWS, type IssueFilters, toIssueListPath, toViewLabel, withView } from "./issue-filters.ts";

/** Links to the most common searches. */
export function IssueViews({ filters }: { filters: IssueFilters }) {
  const current = toViewLabel(filters.search);
  return (
    <TabLinks
      label="Views"
      tabs={ISSUE_VIEWS.map((view) => ({
        label: view.label,
        to: toIssueListPath(filters, { search: withView(filters.search, view.is, view.assigned ?? null) }),
        isCurrent: view.label === current,
      }))}
    />
  );
}
