import { useMemo, useRef } from "react";
import { data, Form, redirect, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { sayRange } from "../../features/filters/say-range.server.ts";
import { changeListedIssues } from "../../features/issues/change-listed-issues.server.ts";
import { IssueFilterBar } from "../../features/issues/issue-filter-bar.tsx";
import {
  ISSUE_RANGES,
  parseIssueFilters,
  toIssueListPath,
  toPastedText,
  toViewLabel,
} from "../../features/issues/issue-filters.ts";
import { IssueListEmpty } from "../../features/issues/issue-list-empty.tsx";
import { IssueNewsStrip } from "../../features/issues/issue-news-strip.tsx";
import { IssuePreview } from "../../features/issues/issue-preview.tsx";
import { ISSUES_FORM_ID, IssueTable, sayCount } from "../../features/issues/issue-table.tsx";
import { IssueViews } from "../../features/issues/issue-views.tsx";
import { IssuesChangeBar } from "../../features/issues/issues-change-bar.tsx";
import { IssuesChangeListener } from "../../features/issues/issues-change-listener.tsx";
import { listIssues } from "../../features/issues/list-issues.server.ts";
import { sayIssuesChange } from "../../features/issues/say-issues-change.server.ts";
import { type IssueIntent, useIssueChanges } from "../../features/issues/use-issue-changes.ts";
import { useIssueListKeys } from "../../features/issues/use-issue-list-keys.ts";
import { useIssueSelection } from "../../features/issues/use-issue-selection.ts";
import { useSteadyIssues } from "../../features/issues/use-steady-issues.ts";
import { findPastedPlace, toPastedPath } from "../../features/search/find-pasted-place.server.ts";
import { toPlainSigns } from "../../features/search/to-plain-signs.server.ts";
import { SavedViews } from "../../features/views/saved-views.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const filters = parseIssueFilters(url.searchParams);
  const place = await findPastedPlace(workspace, toPastedText(filters.search), url);
  if (place) throw redirect(toPastedPath(place));
  const search = toPlainSigns(filters.search, "issues");
  if (search !== filters.search) throw redirect(toIssueListPath(filters, { search }));
  const view = await listIssues(workspace, { filters, now: Date.now() });
  return { ...view, problems: [...sayRange(url.searchParams, ISSUE_RANGES, filters.range), ...view.problems] };
}

/** Resolves, archives or reopens the selected issues, or undoes that. The page shows the answer. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const filters = parseIssueFilters(url.searchParams);
  const answer = await changeListedIssues(context.get(workspaceContext), { form, filters, now: Date.now() });
  const said = sayIssuesChange(answer);
  return said.ok ? said : data(said, { status: 400 });
}

export default function IssueListPage({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const filters = useMemo(() => parseIssueFilters(params), [params]);
  const here = toIssueListPath(filters, { cursor: filters.cursor });
  const { view, issues, news } = useSteadyIssues(loaderData, filters);
  const form = useRef<HTMLFormElement>(null);
  const selection = useIssueSelection(form, view);
  const changes = useIssueChanges(here, selection.release);
  useIssueListKeys({ form, selection, pageKey: view, changes });

  // Before the first event there is nothing to filter.
  const isUnused =
    (view.emptiness === "no-project" || view.emptiness === "no-event") && filters.projectSlugs.length === 0;

  return (
    <>
      <PageHeader title="Issues" actions={!isUnused && <SavedViews list="issues" path={toIssueListPath(filters)} />} />
      {!isUnused && (
        <IssueFilterBar
          filters={filters}
          projects={view.projects}
          environments={view.environments}
          refusals={view.refusals}
        />
      )}
      {view.problems.length > 0 && (
        <Notice tone="warning" className="mt-2">
          {view.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {!isUnused && <IssueViews filters={filters} />}
      {changes.posted.map((each) => (
        <IssuesChangeListener
          key={each.fetcherKey}
          fetcherKey={each.fetcherKey}
          onAnswer={(answer) => changes.onAnswer(each, answer)}
        />
      ))}
      {actionData && <IssuesChangeBar answer={actionData} path={here} />}
      <IssueNewsStrip news={news} />
      {issues.length === 0 ? (
        <div className="issue-frame">{view.empty && <IssueListEmpty {...view.empty} />}</div>
      ) : (
        <Form
          ref={form}
          id={ISSUES_FORM_ID}
          method="post"
          action={here}
          className="issue-frame"
          onClick={selection.onClick}
          onKeyDown={selection.onKeyDown}
          onSubmit={(event) => {
            event.preventDefault();
            const { submitter } = event.nativeEvent as SubmitEvent;
            if (!(submitter instanceof HTMLButtonElement)) return;
            const fields = new FormData(event.currentTarget);
            changes.change(
              submitter.value as IssueIntent,
              selection.target(),
              fields,
              submitter.getAttribute("formaction"),
            );
          }}
        >
          <IssueTable
            issues={issues}
            filters={filters}
            matchingCount={view.matchingCount}
            leavingIds={changes.leavingIds}
            selection={selection}
          />
          <IssuePreview list={form} environments={filters.environments} />
        </Form>
      )}
      {issues.length > 0 && (
        <Pagination
          previousTo={view.previousCursor && toIssueListPath(filters, { cursor: view.previousCursor })}
          nextTo={view.nextCursor && toIssueListPath(filters, { cursor: view.nextCursor })}
        >
          {sayCount(view.matchingCount)} {view.matchingCount === 1 ? "issue matches" : "issues match"}
        </Pagination>
      )}
    </>
  );
}

export function meta({ location }: Route.MetaArgs) {
  const filters = parseIssueFilters(new URLSearchParams(location.search));
  const view = toViewLabel(filters.search);
  const of = filters.projectSlugs.length === 1 ? ` of ${filters.projectSlugs[0]}` : "";
  return [{ title: `${view && view !== "Unresolved" && view !== "All" ? `${view} issues` : "Issues"}${of} · Culprit` }];
}
