import type { Project } from "../../domain/project.ts";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";

/** Deletes the project after its slug was typed. */
export function DeleteProjectSettings({
  project,
  isOwn,
  error,
}: {
  project: Project;
  /** Whether Culprit itself reports to the project. */
  isOwn: boolean;
  error: string | null;
}) {
  return (
    <Panel title="Delete this project">
      {isOwn ? (
        <p className="text-muted text-sm">Culprit reports to this project itself, so it cannot be deleted.</p>
      ) : (
        <div className="grid gap-4">
          <p className="max-w-prose text-sm">
            Its issues, events, keys, uploads and settings are gone at once, and from the payload files within a day.
            Its DSN is answered as an unknown one: applications that still use it lose what they send. Releases stay,
            for the projects that share them. This cannot be undone. Only the owner can do it.
          </p>
          <IntentForm intent="delete-project" submit="Delete project" variant="danger">
            <TextField
              label={`Type ${project.slug} to confirm`}
              name="confirm"
              autoComplete="off"
              required
              error={error}
            />
          </IntentForm>
        </div>
      )}
    </Panel>
  );
}
