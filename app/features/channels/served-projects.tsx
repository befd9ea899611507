import { useId } from "react";
import { CheckboxField } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import type { ChannelFormFacts } from "./get-channel-page.server.ts";

/** The choice of projects that may use a channel: all, or those that are ticked. */
export function ServedProjects({
  facts: { projects, mayServeAll },
  projectIds,
  error,
}: {
  facts: ChannelFormFacts;
  /** Null: all projects. */
  projectIds: readonly number[] | null;
  error: string | null;
}) {
  const errorId = useId();
  return (
    <fieldset className="group/served grid gap-2.5" aria-describedby={error ? errorId : undefined}>
      <legend className="pb-2 font-semibold text-sm">Projects that may use it</legend>
      {mayServeAll && (
        <CheckboxField
          label="All projects, also those that come later"
          name="serves"
          value="all"
          defaultChecked={projectIds === null}
        />
      )}
      <div className="grid max-h-64 gap-2 overflow-y-auto pl-0.5 group-has-[[name=serves]:checked]/served:hidden">
        {projects.map(({ id, name }) => (
          <CheckboxField
            key={id}
            label={name}
            name="project"
            value={id}
            defaultChecked={projectIds?.includes(id) ?? false}
          />
        ))}
      </div>
      <GroupError id={errorId} message={error} />
    </fieldset>
  );
}
