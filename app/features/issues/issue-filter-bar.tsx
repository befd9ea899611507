import { CircleQuestionMark } from "lucide-react";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { Popover } from "../../ui/popover.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { FilterForm, PlaceChoices, RangeSelect } from "../filters/filter-form.tsx";
import { rememberSearch } from "../search/remembered-searches.ts";
import { SearchField } from "../search/search-field.tsx";
import { SearchRefusal } from "../search/search-refusal.tsx";
import {
  DEFAULT_SEARCH,
  ISSUE_RANGES,
  type IssueFilters,
  parseIssueFilters,
  toIssueListPath,
  withWord,
} from "./issue-filters.ts";

/** The filters of the list: projects, environments, time and search. */
export function IssueFilterBar({
  filters,
  projects,
  environments,
  refusals,
}: {
  filters: IssueFilters;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
  /** The parts of the search that are not understood, with their positions. */
  refusals: readonly SearchError[];
}) {
  const toPath = (fields: URLSearchParams) => {
    const next = parseIssueFilters(fields);
    if (next.search !== filters.search && next.search !== DEFAULT_SEARCH) rememberSearch(next.search);
    return toIssueListPath(next);
  };
  return (
    <FilterForm action="/issues" className="issue-filters" toPath={toPath}>
      <PlaceChoices
        filters={filters}
        projects={projects}
        environments={environments}
        toPath={(change) => toIssueListPath(filters, change)}
      />
      <RangeSelect ranges={ISSUE_RANGES} chosen={filters.range} />
      <SearchField
        search={filters.search}
        label="Search issues"
        placeholder="level:error checkout"
        hint="All words must occur, unless OR stands between them. You can filter by keys like is:, level:, release: and user:, and by tags of events."
        subject={{ about: "issues", projects, environments }}
        refusalId={refusals.length > 0 ? REFUSAL_ID : undefined}
        errors={refusals}
      >
        <SearchHelp filters={filters} />
      </SearchField>
      {filters.sort !== "last_seen" && <input type="hidden" name="sort" value={filters.sort} />}
      {filters.trend !== "14d" && <input type="hidden" name="trend" value={filters.trend} />}
      {refusals.length > 0 && <SearchRefusal id={REFUSAL_ID} search={filters.search} errors={refusals} />}
    </FilterForm>
  );
}

const REFUSAL_ID = "search-box-refusal";

const WORDS: ReadonlyArray<[word: string, finds: string]> = [
  ["is:new", "first seen in the last 7 days"],
  ["is:regressed", "came back after it was resolved"],
  ["is:unhandled", "broke through to the user"],
  ["is:resolved", "dealt with"],
  ["is:archived", "put away"],
  ["level:fatal", "or error, warning, info, debug"],
  ["!level:info", "“!” leaves out"],
  ["timesSeen:>100", "by count; age:-24h and lastSeen:>2026-05-20 by time"],
];
const WORDS_TO_END: ReadonlyArray<[word: string, finds: string]> = [
  ["release:>2.3", "with events of a newer release; also release:latest"],
  ["user:", "with events of a user: id, e-mail, name or address"],
  ["plan:[pro, free]", "with events that carry this tag; any tag will do"],
  ["url:*/cart*", "“*” stands for any text"],
  ["has:user", "with events that name one"],
  ["(a OR b) c", "one of two, together with a third"],
];

/** The words that have a meaning in a search. Each is a link that adds it. */
function SearchHelp({ filters }: { filters: IssueFilters }) {
  return (
    <Popover
      label="How to search"
      trigger={
        <>
          <CircleQuestionMark aria-hidden="true" />
          <span className="sr-only">How to search</span>
        </>
      }
      triggerClassName="search-box-help"
      align="end"
    >
      <ul className="grid gap-1 text-sm">
        {WORDS.map(([word, finds]) => (
          <li key={word} className="flex flex-wrap gap-x-2">
            <TextLink to={toIssueListPath(filters, { search: withWord(filters.search, word) })} className="font-mono">
              {word}
            </TextLink>
            <span className="text-muted">{finds}</span>
          </li>
        ))}
        {WORDS_TO_END.map(([word, finds]) => (
          <li key={word} className="flex flex-wrap gap-x-2">
            <span className="font-mono">{word}</span>
            <span className="text-muted">{finds}</span>
          </li>
        ))}
      </ul>
      <p className="max-w-72 pt-2 text-muted text-xs">
        Other words are searched in titles, culprits and short ids. All words must occur; quotes keep words together.
        The id of an event, an issue or a trace alone opens it.
      </p>
    </Popover>
  );
}
