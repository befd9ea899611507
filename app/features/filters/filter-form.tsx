import { type ComponentProps, createContext, type FormEvent, type ReactNode, useContext, useRef } from "react";
import { useAskedPage } from "../../navigation/use-asked-page.ts";
import { Button } from "../../ui/button.tsx";
import { ChoicePopover } from "../../ui/choice-popover.tsx";
import { Select } from "../../ui/field.tsx";
import type { PlaceFilters } from "./filter-params.ts";
import type { TimeRange } from "./time-ranges.ts";

const FormContext = createContext({ isAsked: false, onOpen: (): void => undefined });

/**
 * The filters of a list, as a plain form that asks for its page. With script a choice takes effect at once, and the address has only what
 * differs from the usual view.
 */
export function FilterForm({
  action,
  toPath,
  className,
  isScrollKept = false,
  submit = (
    <Button type="submit" className="without-script">
      Apply
    </Button>
  ),
  children,
}: {
  /** The page to which the form leads without script. */
  action: string;
  /** The address of the page for these fields of the form. */
  toPath: (fields: URLSearchParams) => string;
  className: string;
  isScrollKept?: boolean;
  /** A submit button. Absent: a button that only shows without script. */
  submit?: ReactNode;
  children: ReactNode;
}) {
  const { isAsked, ask } = useAskedPage();
  const form = useRef<HTMLFormElement>(null);
  // Several choices in a row are one step back in the browser's history. The address is read from the browser, because a page that has come
  // changes it before the page is drawn.
  const openedAt = useRef("");
  const onOpen = () => {
    openedAt.current = window.location.href;
  };
  const apply = (replace = false) => {
    if (!form.current) return;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") fields.append(name, value);
    ask(toPath(fields), { replace, preventScrollReset: isScrollKept });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser that we support
    <form
      ref={form}
      role="search"
      action={action}
      className={className}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        apply();
      }}
      onChange={({ target }) => {
        if (target instanceof HTMLSelectElement) apply();
        if (target instanceof HTMLInputElement && target.type === "checkbox")
          apply(target.closest("[popover]") !== null && openedAt.current !== window.location.href);
      }}
    >
      <FormContext value={{ isAsked, onOpen }}>{children}</FormContext>
      {submit}
    </form>
  );
}

/** A choice of any number of things, or all. */
export function FilterChoice(props: Omit<ComponentProps<typeof ChoicePopover>, "isAsked" | "onOpen">) {
  return <ChoicePopover {...props} {...useContext(FormContext)} />;
}

/** The choices of projects and environments. */
export function PlaceChoices({
  filters,
  projects,
  environments,
  toPath,
}: {
  filters: PlaceFilters;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
  /** The address of the page with these places chosen. */
  toPath: (change: Partial<PlaceFilters>) => string;
}) {
  return (
    <>
      <FilterChoice
        name="project"
        label="Projects"
        noun="projects"
        none="All projects"
        chosen={filters.projectSlugs}
        options={projects.map(({ slug, name }) => ({ value: slug, label: name }))}
        toPath={(projectSlugs) => toPath({ projectSlugs })}
      />
      <FilterChoice
        name="environment"
        label="Environments"
        noun="environments"
        none="All envs"
        chosen={filters.environments}
        options={environments.map((name) => ({ value: name, label: name }))}
        toPath={(names) => toPath({ environments: names })}
      />
    </>
  );
}

/** The choice of one project, or all. */
export function ProjectSelect({
  chosen,
  projects,
  children,
}: {
  /** The slug of the project. Empty: all projects. */
  chosen: string;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  /** Further options. */
  children?: ReactNode;
}) {
  return (
    <Select name="project" aria-label="Project" defaultValue={chosen} className="w-auto! max-w-48">
      <option value="">All projects</option>
      {children}
      {projects.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </Select>
  );
}

export function RangeSelect({
  ranges,
  chosen,
  className,
  children,
}: {
  ranges: readonly TimeRange[];
  chosen: string;
  className?: string;
  /** Further options. */
  children?: ReactNode;
}) {
  return (
    <Select name="range" aria-label="Time range" defaultValue={chosen} className={className}>
      {children}
      {ranges.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
