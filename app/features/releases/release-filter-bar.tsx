import { Select } from "../../ui/field.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { FilterForm, ProjectSelect } from "../filters/filter-form.tsx";
import { parseReleaseFilters, type ReleaseFilters, toReleaseListPath } from "./release-filters.ts";

/** The filters of the list: project, status, order and text. */
export function ReleaseFilterBar({
  filters,
  projects,
}: {
  filters: ReleaseFilters;
  projects: ReadonlyArray<{ slug: string; name: string }>;
}) {
  const isSeveral = filters.projectSlugs.length > 1;
  return (
    <FilterForm
      action="/releases"
      className="flex flex-wrap items-center gap-2 pb-4"
      toPath={(fields) => toReleaseListPath(parseReleaseFilters(fields))}
    >
      <ProjectSelect chosen={filters.projectSlugs.join()} projects={projects}>
        {isSeveral && <option value={filters.projectSlugs.join()}>{filters.projectSlugs.length} projects</option>}
      </ProjectSelect>
      <Select name="status" aria-label="Status" defaultValue={filters.status ?? "all"} className="w-auto!">
        <option value="open">Open</option>
        <option value="archived">Archived</option>
        <option value="all">Open and archived</option>
      </Select>
      <Select name="sort" aria-label="Order" defaultValue={filters.sort} className="w-auto!">
        <option value="date">By date</option>
        <option value="semver">By version</option>
      </Select>
      <SearchInput label="Search releases" placeholder="Part of a version" text={filters.text} />
    </FilterForm>
  );
}
