import { CircleQuestionMark, Search } from "lucide-react";
import { type FormEvent, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ISSUE_RANGES, type IssueFilters, parseIssueFilters, toIssueListPath, withWord } from "./issue-filters.ts";

/** Project, environment, time and search. A plain form that asks for the list; a choice takes effect at once with script. */
export function IssueFilterBar({
  filters,
  projects,
  environments,
}: {
  filters: IssueFilters;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
}) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);

  // The fields keep what is typed while one types; going back or pressing a view sets them anew.
  const { search } = filters;
  useEffect(() => {
    const field = form.current?.elements.namedItem("q");
    if (field instanceof HTMLInputElement) field.value = search;
  }, [search]);

  const apply = () => {
    if (!form.current) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") params.append(name, value);
    void navigate(toIssueListPath(parseIssueFilters(params)));
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser that we support
    <form
      ref={form}
      role="search"
      action="/issues"
      className="issue-filters"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        apply();
      }}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) apply();
      }}
    >
      <Choice
        name="project"
        label="Project"
        all="All projects"
        chosen={filters.projectSlugs}
        options={projects.map(({ slug, name }) => [slug, name])}
      />
      <Choice
        name="environment"
        label="Environment"
        all="All envs"
        chosen={filters.environments}
        options={environments.map((name) => [name, name])}
      />
      <Select key={filters.range} name="range" aria-label="Time range" defaultValue={filters.range}>
        {ISSUE_RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <div className="issue-search">
        <Search aria-hidden="true" />
        <Input
          type="search"
          name="q"
          aria-label="Search issues"
          aria-describedby="issue-search-hint"
          defaultValue={filters.search}
          placeholder="is:unresolved level:error checkout"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          enterKeyHint="search"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.currentTarget.value = search;
            event.currentTarget.blur();
          }}
        />
        <span className="kbd" aria-hidden="true">
          /
        </span>
        <SearchHelp filters={filters} />
        <span id="issue-search-hint" className="sr-only">
          Words that must all occur; is: and level: have a meaning.
        </span>
      </div>
      {filters.sort !== "last_seen" && <input type="hidden" name="sort" value={filters.sort} />}
      {filters.trend !== "14d" && <input type="hidden" name="trend" value={filters.trend} />}
      <Button type="submit" className="without-script">
        Apply
      </Button>
    </form>
  );
}

const WORDS: ReadonlyArray<[word: string, finds: string]> = [
  ["is:new", "first seen in the last 7 days"],
  ["is:regressed", "came back after it was resolved"],
  ["is:unhandled", "broke through to the user"],
  ["is:resolved", "dealt with"],
  ["is:archived", "put away"],
  ["level:fatal", "or error, warning, info, debug"],
];

/** The words that have a meaning, each a link that adds it. */
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
      triggerClassName="issue-search-help"
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
      </ul>
      <p className="max-w-72 pt-2 text-muted text-xs">
        Anything else is looked for in titles, culprits and short ids. All words must occur; quotes keep words together.
      </p>
    </Popover>
  );
}

/** One of many, or all. Several can only be in the URL; they stay, as one choice of their own, until another is made. */
function Choice({
  name,
  label,
  all,
  chosen,
  options,
}: {
  name: string;
  label: string;
  all: string;
  chosen: readonly string[];
  options: ReadonlyArray<[value: string, label: string]>;
}) {
  const value = chosen.join();
  const known = chosen.length === 0 || options.some(([option]) => option === value);
  return (
    <Select key={value} name={name} aria-label={label} defaultValue={value}>
      <option value="">{all}</option>
      {!known && <option value={value}>{chosen.length > 1 ? `${chosen.length} of them` : value}</option>}
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </Select>
  );
}
