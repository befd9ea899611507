import { Form } from "react-router";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IfMay, useMay } from "../frame/use-may.tsx";
import { DEFAULT_SEARCH, type IssueFilters, isNarrowed, toIssueListPath, withView } from "./issue-filters.ts";
import { CalmPicture, EmptyNetPicture, WaitingPicture } from "./issue-list-pictures.tsx";
import type { IssueListView } from "./list-issues.server.ts";

/** Why the list is empty, and what to do about it. */
export function IssueListEmpty({ view, filters }: { view: IssueListView; filters: IssueFilters }) {
  const mayMakeProject = useMay("project:write");
  if (view.emptiness === "no-project" && !mayMakeProject) {
    return (
      <EmptyState picture={<WaitingPicture />} title="You see no project yet">
        Your account is in no team that has one. Ask an owner or a manager to add you to a team, or to give you a
        project.
      </EmptyState>
    );
  }
  if (view.emptiness === "no-project") {
    return (
      <EmptyState
        picture={<WaitingPicture />}
        title="Nothing reports here yet"
        actions={
          <LinkButton to="/projects/new" variant="primary">
            Make the first project
          </LinkButton>
        }
      >
        A project stands for one application. It gives you the DSN, the address that the application’s Sentry SDK
        reports to.
      </EmptyState>
    );
  }
  if (view.emptiness === "no-event" && view.waitingProject) {
    const { slug, name } = view.waitingProject;
    return (
      <EmptyState
        picture={<WaitingPicture />}
        title={`Waiting for the first event of ${name}`}
        actions={
          <>
            <LinkButton to={`/projects/${slug}/set-up`} variant="primary">
              Connect the application
            </LinkButton>
            <IfMay right="event:write">
              <Form method="post" action={`/projects/${slug}/set-up`}>
                <Button type="submit" name="intent" value="send-sample">
                  Send a sample event
                </Button>
              </Form>
            </IfMay>
          </>
        }
      >
        This page shows it by itself as soon as it arrives.
      </EmptyState>
    );
  }
  if (view.emptiness === "refused") {
    return (
      <EmptyState
        picture={<EmptyNetPicture />}
        title="Nothing was searched for"
        actions={
          <LinkButton to="/issues" variant="primary">
            Clear all filters
          </LinkButton>
        }
      >
        A part of <code className="text-ink">{filters.search}</code> is not understood. The search says which.
      </EmptyState>
    );
  }
  if (isNarrowed(filters)) {
    const inEveryStatus = withView(filters.search, []);
    return (
      <EmptyState
        picture={<EmptyNetPicture />}
        title="No issue matches"
        isOfEvents
        actions={
          <>
            <LinkButton to="/issues" variant="primary">
              Clear all filters
            </LinkButton>
            {filters.range !== "90d" && (
              <LinkButton to={toIssueListPath(filters, { range: "90d" })}>Look back 90 days</LinkButton>
            )}
            {inEveryStatus !== filters.search && (
              <LinkButton to={toIssueListPath(filters, { search: inEveryStatus })}>In every status</LinkButton>
            )}
          </>
        }
      >
        {filters.search ? (
          <>
            Nothing matches <code className="text-ink">{filters.search}</code> in the chosen projects and time.
          </>
        ) : (
          "Nothing happened in the chosen projects and time."
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      picture={<CalmPicture />}
      title="Nothing unresolved"
      actions={
        <LinkButton to={toIssueListPath(filters, { search: DEFAULT_SEARCH.replace("unresolved", "resolved") })}>
          What was resolved
        </LinkButton>
      }
    >
      Every issue of the last 14 days is resolved or archived. Go outside.
    </EmptyState>
  );
}
