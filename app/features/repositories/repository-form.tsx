import { CODE_HOST_NAMES } from "../../domain/source-link.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import type { RepositoryResult } from "./change-repositories.server.ts";
import type { OfferedRepository } from "./list-repositories.server.ts";
import { RepositoryPlaceFields } from "./repository-place-fields.tsx";

/** Adds a repository: one that links of projects name, or any other. */
export function RepositoryForm({
  offers,
  error,
}: {
  offers: readonly OfferedRepository[];
  error: Extract<RepositoryResult, { ok: false }> | null;
}) {
  return (
    <Panel
      title="New repository"
      description="Builds that send commits add their repositories. To use set-commits --commit, add the repository here first."
    >
      {offers.length > 0 && (
        <ul aria-label="Named by links to the code" className="grid gap-2 pb-4">
          {offers.map(({ name, provider, projectName }) => (
            <li key={name} className="flex flex-wrap items-center gap-2 text-sm">
              <ButtonForm fields={{ name, provider: provider ?? "" }} name="intent" value="create" size="sm">
                Add {name}
              </ButtonForm>
              <span className="text-muted">
                {provider && provider !== "other" && `${CODE_HOST_NAMES[provider]}, `}where {projectName} links to
              </span>
            </li>
          ))}
        </ul>
      )}
      <IntentForm intent="create" submit="Add repository" variant="primary">
        <CodeField
          label="Name"
          name="name"
          required
          maxLength={200}
          placeholder="acme/shop"
          hint="Owner, slash, repository, as tools call it."
          error={error?.field === "name" ? error.message : null}
        />
        <RepositoryPlaceFields provider={null} url={null} error={error?.repositoryId === undefined ? error : null} />
      </IntentForm>
    </Panel>
  );
}
