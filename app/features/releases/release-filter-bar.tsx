import { useRef } from "react";
import { Form, useNavigate } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { parseReleaseFilters, type ReleaseFilters, toReleaseListPath } from "./release-filters.ts";

/** Project, status, order and text. A plain form that asks for the list; a choice takes effect at once with script. */
export function ReleaseFilterBar({
  filters,
  projects,
}: {
  filters: ReleaseFilters;
  projects: ReadonlyArray<{ slug: string; name: string }>;
}) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const apply = () => {
    if (!form.current) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") params.append(name, value);
    void navigate(toReleaseListPath(parseReleaseFilters(params)));
  };
  const isSeveral = filters.projectSlugs.length > 1;
  return (
    <Form
      ref={form}
      role="search"
      action="/releases"
      className="flex flex-wrap items-center gap-2 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) apply();
      }}
    >
      <Select name="project" aria-label="Project" defaultValue={filters.projectSlugs.join()} className="w-auto!">
        <option value="">All projects</option>
        {isSeveral && <option value={filters.projectSlugs.join()}>{filters.projectSlugs.length} projects</option>}
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </Select>
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
      <Button type="submit" className="without-script">
        Apply
      </Button>
    </Form>
  );
}
