import { hasRight, type Scope } from "../../domain/scope.ts";
import { DEFAULT_SEARCH, type IssueFilters, isNarrowed, toIssueListPath, withView } from "./issue-filters.ts";
import type { EmptyList } from "./issue-list-empty.tsx";

export interface Emptiness {
  /**
   * Why there is no issue: there is no project, no event has arrived yet (in the requested projects), the search is not understood,
   * or nothing matches. Null: there are issues.
   */
  emptiness: "no-project" | "no-event" | "refused" | "no-match" | null;
  /** The first project that waits for its first event. */
  waitingProject: { slug: string; name: string } | null;
}

const CLEAR_ALL = { label: "Clear all filters", to: "/issues", isPrimary: true };

/**
 * Why the list is empty, and what to do about it. The words are made on the server: otherwise every list would load text that few
 * readers need.
 */
export function sayEmptyList(
  { emptiness, waitingProject }: Emptiness,
  { filters, scope }: { filters: IssueFilters; scope: Scope },
): EmptyList | null {
  if (emptiness === null) return null;
  if (emptiness === "no-project") return sayNoProject(scope);
  if (emptiness === "no-event" && waitingProject) {
    const path = `/projects/${waitingProject.slug}/set-up`;
    return {
      picture: "waiting",
      title: `Waiting for the first event of ${waitingProject.name}`,
      text: ["This page shows it by itself as soon as it arrives."],
      actions: [{ label: "Connect the application", to: path, isPrimary: true }],
      sendSampleTo: hasRight(scope, "event:write") ? path : null,
    };
  }
  const { search } = filters;
  if (emptiness === "refused") {
    return {
      picture: "net",
      title: "Nothing was searched for",
      text: ["A part of ", { code: search }, " is not understood. The search says which."],
      actions: [CLEAR_ALL],
    };
  }
  if (isNarrowed(filters)) {
    const inEveryStatus = withView(search, []);
    return {
      picture: "net",
      title: "No issue matches",
      isOfEvents: true,
      text: search
        ? ["Nothing matches ", { code: search }, " in the chosen projects and time."]
        : ["Nothing happened in the chosen projects and time."],
      actions: [
        CLEAR_ALL,
        ...(filters.range === "90d"
          ? []
          : [{ label: "Look back 90 days", to: toIssueListPath(filters, { range: "90d" }) }]),
        ...(inEveryStatus === search
          ? []
          : [{ label: "In every status", to: toIssueListPath(filters, { search: inEveryStatus }) }]),
      ],
    };
  }
  const resolved = DEFAULT_SEARCH.replace("unresolved", "resolved");
  return {
    picture: "calm",
    title: "Nothing unresolved",
    text: ["Every issue of the last 14 days is resolved or archived. Go outside."],
    actions: [{ label: "What was resolved", to: toIssueListPath(filters, { search: resolved }) }],
  };
}

function sayNoProject(scope: Scope): EmptyList {
  if (!hasRight(scope, "project:write")) {
    return {
      picture: "waiting",
      title: "You see no project yet",
      text: [
        "Your account is in no team that has one. Ask an owner or a manager to add you to a team, or to give you a project.",
      ],
      actions: [],
    };
  }
  return {
    picture: "waiting",
    title: "Nothing reports here yet",
    text: [
      "A project stands for one application. It gives you the DSN, the address that the application’s Sentry SDK reports to.",
    ],
    actions: [{ label: "Make the first project", to: "/projects/new", isPrimary: true }],
  };
}
