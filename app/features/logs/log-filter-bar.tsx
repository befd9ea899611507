import { type FormEvent, useRef } from "react";
import { useAskedPage } from "../../navigation/use-asked-page.ts";
import { Button } from "../../ui/button.tsx";
import { ChoicePopover } from "../../ui/choice-popover.tsx";
import { Select } from "../../ui/field.tsx";
import { SearchField } from "../issues/search-field.tsx";
import { SearchRefusal } from "../issues/search-refusal.tsx";
import type { LogsPage } from "./get-logs-page.server.ts";
import { LOG_COLUMNS, LOG_RANGES, type LogFilters, parseLogFilters, toLogsPath } from "./log-filters.ts";

const REFUSAL_ID = "log-search-refusal";

/** Projects, environments, time, columns and search. A plain form; a choice takes effect at once with script. */
export function LogFilterBar({ filters, page }: { filters: LogFilters; page: LogsPage }) {
  const { isAsked, ask } = useAskedPage();
  const form = useRef<HTMLFormElement>(null);
  const apply = () => {
    if (!form.current) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") params.append(name, value);
    ask(toLogsPath(parseLogFilters(params)));
  };
  const chosenWindow = filters.window ? `${filters.window.from}-${filters.window.to}` : "";
  const columns = [...LOG_COLUMNS, ...page.attributeKeys].map((key) => ({ value: key, label: key }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser that we support
    <form
      ref={form}
      role="search"
      action="/logs"
      className="log-filters"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        apply();
      }}
      onChange={({ target }) => {
        if (target instanceof HTMLSelectElement) apply();
        if (target instanceof HTMLInputElement && target.type === "checkbox") apply();
      }}
    >
      <ChoicePopover
        name="project"
        label="Projects"
        noun="projects"
        none="All projects"
        chosen={filters.projectSlugs}
        isAsked={isAsked}
        options={page.projects.map(({ slug, name }) => ({ value: slug, label: name }))}
        toPath={(projectSlugs) => toLogsPath(filters, { projectSlugs })}
      />
      <ChoicePopover
        name="environment"
        label="Environments"
        noun="environments"
        none="All envs"
        chosen={filters.environments}
        isAsked={isAsked}
        options={page.environments.map((name) => ({ value: name, label: name }))}
        toPath={(environments) => toLogsPath(filters, { environments })}
      />
      <Select
        key={chosenWindow}
        name="range"
        aria-label="Time range"
        defaultValue={chosenWindow === "" ? filters.range : chosenWindow}
      >
        {chosenWindow !== "" && <option value={chosenWindow}>As chosen in the histogram</option>}
        {LOG_RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <SearchField
        search={filters.search}
        label="Search logs"
        placeholder="timeout severity:error service:payments"
        hint="All words must occur, unless OR stands between them. You can filter by keys like severity:, service:, trace: and release:, and by any attribute."
        subject={{ about: "logs", projects: page.projects, environments: page.environments }}
        refusalId={page.refusals.length > 0 ? REFUSAL_ID : undefined}
      />
      <ChoicePopover
        name="col"
        label="Columns"
        noun="columns"
        none="Usual columns"
        chosen={filters.columns}
        isAsked={isAsked}
        options={columns}
        toPath={(chosen) => toLogsPath(filters, { columns: chosen.length > 0 ? chosen : ["service"] })}
      />
      <Button type="submit" className="without-script">
        Apply
      </Button>
      {page.refusals.length > 0 && <SearchRefusal id={REFUSAL_ID} search={filters.search} errors={page.refusals} />}
    </form>
  );
}
