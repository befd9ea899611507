import { UserRoundX } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { type Assignee, isSameAssignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { Input } from "../../ui/field.tsx";
import { useReader } from "../frame/use-reader.tsx";
import { AssigneeMark } from "./assignee-name.tsx";

/** Key handler for the buttons of a panel: a typed letter goes to the panel's field, which filters the list. */
export function typeIntoFilter({ key, ctrlKey, metaKey, altKey, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return;
  currentTarget.parentElement?.querySelector<HTMLElement>("input[type=search]")?.focus();
}

/**
 * Members and teams as buttons. They belong to the form around them, or to the form with the id `form`. `button` returns the posted
 * field.
 */
export function AssigneeList({
  assignees,
  current,
  button,
  form,
}: {
  assignees: readonly Assignee[];
  /** The present assignee. Null: nobody. Undefined: there are several issues, and their assignees may differ. */
  current?: Assignee | null;
  button: (value: string) => { name: string; value: string };
  form?: string;
}) {
  const reader = useReader();
  const [filter, setFilter] = useState("");
  const words = filter.trim().toLowerCase();
  const shown = assignees.filter((each) => `${each.name} ${toAssigneeName(each)}`.toLowerCase().includes(words));
  return (
    <div className="grid gap-1">
      <div className="needs-script grid">
        <Input
          type="search"
          controlSize="sm"
          aria-label="Find people and teams"
          placeholder="Find people and teams"
          autoComplete="off"
          spellCheck={false}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter would press the first button of the form, which may be another person's.
            event.preventDefault();
            if (words !== "")
              event.currentTarget.parentElement?.nextElementSibling
                ?.querySelector<HTMLElement>("button[data-assignee]")
                ?.click();
          }}
        />
      </div>
      <fieldset aria-label="People and teams" className="assignee-list" onKeyDown={typeIntoFilter}>
        {words === "" && (
          <button
            type="submit"
            form={form}
            {...button("")}
            className="menu-item"
            aria-current={current === null || undefined}
          >
            <UserRoundX aria-hidden="true" />
            Nobody
          </button>
        )}
        {shown.map((each) => (
          <button
            key={toAssigneeText(each)}
            type="submit"
            form={form}
            data-assignee=""
            {...button(toAssigneeText(each))}
            className="menu-item"
            aria-current={(current && isSameAssignee(each, current)) || undefined}
          >
            <AssigneeMark assignee={each} />
            <bdi className="min-w-0 truncate">{toAssigneeName(each)}</bdi>
            {each.kind === "user" && each.id === reader?.id && <span className="text-muted">(you)</span>}
          </button>
        ))}
      </fieldset>
      {shown.length === 0 && <p className="text-muted text-sm">Nobody who sees the project is called so.</p>}
    </div>
  );
}
