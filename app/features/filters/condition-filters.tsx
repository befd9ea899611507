import type { FilterCondition } from "../../domain/filters/filter-settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { FilterUse } from "./filter-use.tsx";
import type { FiltersPage } from "./get-filters-page.server.ts";

/** The project's own filters, in the search language. */
export function ConditionFilters({
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
  const { conditions } = page.filters;
  const field = toFieldOf(error);
  return (
    <Panel
      title="Your own filters"
      description="An event that such a search finds is not stored. The words are those of the search among the events of an issue."
      isFlush
    >
      {conditions.length > 0 && (
        <ul className="divide-y divide-line border-line border-b">
          {conditions.map((condition) => (
            <ConditionRow key={condition.id} slug={slug} condition={condition} uses={page.uses} />
          ))}
        </ul>
      )}
      <div className="p-4">
        <IntentForm intent="add-condition" submit="Add filter" key={conditions.length}>
          <TextField label="Name" {...field("name", typed?.name ?? "")} maxLength={64} placeholder="Load tests" />
          <CodeField
            label="Search"
            {...field("search", typed?.search ?? "")}
            maxLength={500}
            hint="Like environment:staging level:warning, or error.type:TimeoutError !user.id:*."
            placeholder="environment:staging error.type:TimeoutError"
          />
        </IntentForm>
      </div>
    </Panel>
  );
}

/** Restores the filter that was just deleted. */
export function UndoDeletion({ deleted: { id, name, search, isEnabled } }: { deleted: FilterCondition }) {
  return (
    <ButtonForm
      fields={{ condition: id, name, search, isEnabled: String(isEnabled) }}
      name="intent"
      value="restore-condition"
      size="sm"
      data-shortcut="u"
    >
      Undo
    </ButtonForm>
  );
}

function ConditionRow({
  slug,
  condition: { id, name, search, isEnabled },
  uses,
}: {
  slug: string;
  condition: FilterCondition;
  uses: FiltersPage["uses"];
}) {
  const reason = `condition:${id}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-semibold text-sm">
          {name} {!isEnabled && <Badge>Off</Badge>}
        </p>
        <code className="wrap-anywhere text-xs">{search}</code>
        <FilterUse slug={slug} reason={reason} use={uses[reason]} isOn={isEnabled} />
      </div>
      <div className="flex gap-2">
        <ButtonForm
          fields={{ condition: id }}
          name="intent"
          value={isEnabled ? "disable-condition" : "enable-condition"}
          size="sm"
          aria-label={`Turn ${isEnabled ? "off" : "on"} the filter ${name}`}
        >
          {isEnabled ? "Turn off" : "Turn on"}
        </ButtonForm>
        <ButtonForm
          fields={{ condition: id }}
          name="intent"
          value="delete-condition"
          size="sm"
          variant="quiet"
          aria-label={`Delete the filter ${name}`}
        >
          Delete
        </ButtonForm>
      </div>
    </li>
  );
}
