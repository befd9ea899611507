import { SearchInput } from "../../ui/search-input.tsx";
import { FilterForm, PlaceChoices, RangeSelect } from "../filters/filter-form.tsx";
import type { PerformancePage } from "./get-performance-page.server.ts";
import {
  PERFORMANCE_RANGES,
  type PerformanceFilters,
  parsePerformanceFilters,
  toPerformancePath,
} from "./performance-filters.ts";

/** The filters: projects, environments, time, and a part of the name. */
export function PerformanceBar({ filters, page }: { filters: PerformanceFilters; page: PerformancePage }) {
  return (
    <FilterForm
      action="/performance"
      className="performance-filters"
      toPath={(fields) => toPerformancePath(parsePerformanceFilters(fields))}
    >
      <PlaceChoices
        filters={filters}
        projects={page.projects}
        environments={page.environments}
        toPath={(change) => toPerformancePath(filters, change)}
      />
      <RangeSelect ranges={PERFORMANCE_RANGES} chosen={filters.range} className="w-auto!" />
      <SearchInput label="Search transactions and pages" placeholder="Part of a name" text={filters.text} />
      {filters.sort !== "time" && <input type="hidden" name="sort" value={filters.sort} />}
      {filters.view !== "transactions" && <input type="hidden" name="view" value={filters.view} />}
    </FilterForm>
  );
}
