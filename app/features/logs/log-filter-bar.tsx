import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { FilterChoice, FilterForm, PlaceChoices, RangeSelect } from "../filters/filter-form.tsx";
import { SearchField } from "../search/search-field.tsx";
import { SearchRefusal } from "../search/search-refusal.tsx";
import type { LogsPage } from "./get-logs-page.server.ts";
import {
  DEFAULT_COLUMNS,
  LOG_COLUMNS,
  LOG_RANGES,
  type LogFilters,
  listShownColumns,
  toAskedPath,
  toLogsPath,
} from "./log-filters.ts";

/** Keys that lines can be counted by. Attributes follow them. */
const COUNT_KEYS = [
  "message.template",
  "service",
  "logger",
  "release",
  "environment",
  "server.address",
  "user.id",
  "project",
  "origin",
];

const REFUSAL_ID = "log-search-refusal";

/** Projects, environments, time, search, columns, and the key that lines are counted by. */
export function LogFilterBar({ filters, page }: { filters: LogFilters; page: LogsPage }) {
  const chosenWindow = filters.window ? `${filters.window.from}-${filters.window.to}` : "";
  const shown = listShownColumns(filters, page.lines).map(({ key }) => key);
  const unasked = filters.columns === DEFAULT_COLUMNS ? shown : [];
  const columns = [...LOG_COLUMNS, ...page.attributeKeys].map((key) => ({ value: key, label: key }));
  return (
    <FilterForm action="/logs" className="log-filters" toPath={(fields) => toAskedPath(fields, unasked)} submit={null}>
      {filters.isLive && <input type="hidden" name="live" value="1" />}
      <PlaceChoices
        filters={filters}
        projects={page.projects}
        environments={page.environments}
        toPath={(change) => toLogsPath(filters, change)}
      />
      <RangeSelect key={chosenWindow} ranges={LOG_RANGES} chosen={chosenWindow === "" ? filters.range : chosenWindow}>
        {chosenWindow !== "" && <option value={chosenWindow}>As chosen in the histogram</option>}
      </RangeSelect>
      <div className="search-row">
        <SearchField
          search={filters.search}
          label="Search logs"
          placeholder="timeout severity:error service:payments"
          hint="All words must occur, unless OR stands between them. You can filter by keys like severity:, service:, trace: and release:, and by any attribute."
          subject={{ about: "logs", projects: page.projects, environments: page.environments }}
          refusalId={page.refusals.length > 0 ? REFUSAL_ID : undefined}
          errors={page.refusals}
        />
        <Button type="submit">Search</Button>
      </div>
      <FilterChoice
        name="col"
        label="Columns"
        noun="columns"
        none="Usual columns"
        chosen={shown}
        options={columns}
        toPath={(chosen) => toLogsPath(filters, { columns: chosen.length > 0 ? chosen : DEFAULT_COLUMNS })}
      />
      <Select name="by" aria-label="Count by" defaultValue={filters.by ?? ""} key={filters.by}>
        <option value="">Count by…</option>
        {toOptions(
          [...new Set([...COUNT_KEYS, ...page.attributeKeys, ...(filters.by === null ? [] : [filters.by])])],
          (key) => [key, key === filters.by ? `By ${key}` : key],
        )}
      </Select>
      {page.refusals.length > 0 && <SearchRefusal id={REFUSAL_ID} search={filters.search} errors={page.refusals} />}
    </FilterForm>
  );
}
