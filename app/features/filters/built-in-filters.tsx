import type { FilterSettings } from "../../domain/filters/filter-settings.ts";
import { LEGACY_BROWSERS, sayLegacyBrowser } from "../../domain/filters/legacy-browsers.ts";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { FilterUse } from "./filter-use.tsx";
import type { FiltersPage } from "./get-filters-page.server.ts";

const SWITCHES = [
  {
    reason: "browser-extensions",
    label: "Browser extensions",
    hint: "Errors that an extension threw, and reports about its scripts.",
    isOn: (filters: FilterSettings) => filters.browserExtensions,
  },
  {
    reason: "web-crawlers",
    label: "Web crawlers",
    hint: "Search engines, previews of links and other programs, by their user agent.",
    isOn: (filters: FilterSettings) => filters.webCrawlers,
  },
  {
    reason: "localhost",
    label: "Local machines",
    hint: "Pages and requests of localhost, 127.0.0.1 and ::1.",
    isOn: (filters: FilterSettings) => filters.localhost,
  },
] as const;

/** Filters that every project has and that are switched on or off. */
export function BuiltInFilters({ slug, page }: { slug: string; page: FiltersPage }) {
  const { filters, uses } = page;
  return (
    <Panel title="Known noise" description="Errors that say little about your code. The lists are part of Culprit.">
      <IntentForm intent="built-in" submit="Save">
        {SWITCHES.map(({ reason, label, hint, isOn }) => (
          <div key={reason} className="grid gap-1">
            <CheckboxField label={label} hint={hint} name={reason} defaultChecked={isOn(filters)} />
            <div className="pl-6.5">
              <FilterUse slug={slug} reason={reason} use={uses[reason]} isOn={isOn(filters)} />
            </div>
          </div>
        ))}
        <fieldset className="grid gap-1.5">
          <legend className="pb-1 font-semibold text-sm">Old browsers</legend>
          <div className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
            {LEGACY_BROWSERS.map((id) => (
              <CheckboxField
                key={id}
                label={sayLegacyBrowser(id)}
                name="legacy-browser"
                value={id}
                defaultChecked={filters.legacyBrowsers.includes(id)}
              />
            ))}
          </div>
          <FilterUse
            slug={slug}
            reason="legacy-browsers"
            use={uses["legacy-browsers"]}
            isOn={filters.legacyBrowsers.length > 0}
          />
        </fieldset>
      </IntentForm>
    </Panel>
  );
}
