import type { SearchError } from "../../domain/search/search-tree.ts";
import { Button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { FilterForm, PlaceChoices, RangeSelect } from "../filters/filter-form.tsx";
import { SearchField } from "../search/search-field.tsx";
import {
  EXPLORE_PERIODS,
  type ExploreOptions,
  MAX_GROUP_KEYS,
  printSort,
  readExploreOptions,
  toExplorePath,
} from "./explore-options.ts";
import { FigureChoice } from "./figure-choice.tsx";
import { shortenFigure } from "./format-aggregate.ts";

const GROUP_KEYS = [
  "span.op",
  "span.group",
  "transaction",
  "span.status",
  "project",
  "release",
  "environment",
  "service",
];

/** The id of the sentences about a search that is not understood. */
export const SEARCH_REFUSAL_ID = "span-search-refusal";

/** The search, the shown figures and the keys to group by. */
export function ExploreBar({
  options,
  projects,
  environments,
  keys,
  refusals,
}: {
  options: ExploreOptions;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  environments: readonly string[];
  /** Attributes that spans can be grouped by. */
  keys: readonly string[];
  /** The parts of the search that are not understood, with their positions. */
  refusals: readonly SearchError[];
}) {
  return (
    <FilterForm
      action="/traces"
      className="grid gap-2 pb-4"
      toPath={(fields) => toExplorePath(readExploreOptions(fields))}
      isScrollKept
      submit={null}
    >
      <input type="hidden" name="view" value={options.view} />
      <input type="hidden" name="order" value={options.order} />
      {options.sort && <input type="hidden" name="sort" value={printSort(options.sort)} />}
      <div className="explore-search flex flex-wrap items-center gap-2">
        <PlaceChoices
          filters={options}
          projects={projects}
          environments={environments}
          toPath={(change) => toExplorePath(options, change)}
        />
        <RangeSelect ranges={EXPLORE_PERIODS} chosen={options.period.value} className="w-auto!" />
        <div className="search-row">
          <SearchField
            search={options.search}
            label="Search spans"
            placeholder="span.op:db span.duration:>500ms, or any attribute"
            hint="All words must occur, unless OR stands between them. You can filter by keys like span.op:, span.duration:, service: and trace:, and by any attribute."
            subject={{ about: "spans", projects, environments }}
            refusalId={refusals.length > 0 ? SEARCH_REFUSAL_ID : undefined}
            errors={refusals}
          />
          <Button type="submit">Search</Button>
        </div>
      </div>
      <Disclosure className="explore-figures" summary={sayFigures(options)}>
        <FigureChoice shown={options.show} keys={keys} />
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted" aria-hidden="true">
            Grouped by
          </span>
          {Array.from({ length: Math.min(MAX_GROUP_KEYS, options.by.length + 1) }, (_, index) => {
            const chosen = options.by[index] ?? "";
            return (
              <Select
                // biome-ignore lint/suspicious/noArrayIndexKey: places of an order
                key={index}
                name="by"
                controlSize="sm"
                aria-label={`Group by, key ${index + 1}`}
                defaultValue={chosen}
                className="w-auto! max-w-56"
              >
                <option value="">{index === 0 ? "nothing" : "+ key"}</option>
                {toOptions(withChosen([...new Set([...GROUP_KEYS, ...keys])], chosen || null))}
              </Select>
            );
          })}
        </div>
      </Disclosure>
    </FilterForm>
  );
}

/** A summary of the choices for narrow pages, where they are folded. */
function sayFigures({ show, by }: ExploreOptions): string {
  const figures = show.map(shortenFigure).join(", ");
  return `Show ${figures || "nothing"}${by.length === 0 ? "" : ` by ${by.join(", ")}`}`;
}

function withChosen(values: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || values.includes(chosen) ? values : [chosen, ...values];
}
