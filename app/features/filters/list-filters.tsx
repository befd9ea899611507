import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { IntentForm, toErrorOf } from "../../ui/intent-form.tsx";
import { FilterUse } from "./filter-use.tsx";
import type { FiltersPage } from "./get-filters-page.server.ts";

/** Filters that are lists with one entry a line. `typed`: values that were refused, to correct them. */
export function ListFilters({
  slug,
  page,
  typed,
  error,
}: {
  slug: string;
  page: FiltersPage;
  typed: Record<string, string> | null;
  error: { field: string; message: string } | null;
}) {
  const { filters, uses } = page;
  const errorOf = toErrorOf(error);
  const lists = [
    {
      reason: "error-message",
      name: "messages",
      label: "Messages",
      hint: "The type with the text, like TypeError: Load failed, or the text alone. A * stands for any text.",
      placeholder: "*ResizeObserver loop*",
      lines: filters.errorMessages,
    },
    {
      reason: "release-version",
      name: "releases",
      label: "Releases",
      hint: "A * stands for any text.",
      placeholder: "shop@1.*",
      lines: filters.releases,
    },
    {
      reason: "ip-address",
      name: "addresses",
      label: "IP addresses",
      hint: "Of the sender or the user. Ranges are written like 192.0.2.0/24.",
      placeholder: "192.0.2.0/24",
      lines: filters.ipAddresses,
    },
  ];
  return (
    <Panel title="Lists" description="One entry a line. Upper and lower case are the same.">
      <IntentForm intent="lists" submit="Save lists">
        {lists.map(({ reason, name, lines, ...words }) => (
          <div key={name} className="grid gap-1">
            <CodeLinesField
              {...words}
              name={name}
              rows={3}
              defaultValue={typed?.[name] ?? lines.join("\n")}
              error={errorOf(reason)}
            />
            <FilterUse slug={slug} reason={reason} use={uses[reason]} isOn={lines.length > 0} />
          </div>
        ))}
      </IntentForm>
    </Panel>
  );
}
