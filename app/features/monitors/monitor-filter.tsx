import { Button } from "../../ui/button.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { FilterForm, ProjectSelect } from "../filters/filter-form.tsx";
import { withParams } from "../filters/filter-params.ts";

/** The filter of a list of monitors, the same for each kind. */
export function MonitorFilter({
  action,
  label,
  placeholder,
  text,
  chosen,
  projects,
}: {
  /** The list. */
  action: string;
  /** What the field searches. */
  label: string;
  placeholder: string;
  text: string;
  /** The slug of the project. Empty: all projects. */
  chosen: string;
  projects: ReadonlyArray<{ slug: string; name: string }>;
}) {
  return (
    <FilterForm
      action={action}
      className="flex flex-wrap items-center gap-2"
      toPath={(fields) => withParams(action, new URLSearchParams([...fields].filter(([, value]) => value !== "")))}
      submit={null}
    >
      {projects.length > 1 && <ProjectSelect chosen={chosen} projects={projects} />}
      <SearchInput label={label} placeholder={placeholder} text={text} />
      <Button type="submit">Search</Button>
    </FilterForm>
  );
}
