import { Form, useNavigation } from "react-router";
import { CODE_HOST_NAMES } from "../../domain/source-link.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/field.tsx";
import type { RepositoryResult } from "./change-repositories.server.ts";
import type { OfferedRepository } from "./list-repositories.server.ts";
import { RepositoryPlaceFields } from "./repository-place-fields.tsx";

/** Adds a repository: one of those that links of projects name, or any. */
export function RepositoryForm({
  offers,
  error,
}: {
  offers: readonly OfferedRepository[];
  error: Extract<RepositoryResult, { ok: false }> | null;
}) {
  const isPending = useNavigation().formData?.get("intent") === "create";
  return (
    <Panel
      title="New repository"
      description="Builds that send commits add theirs by themselves. One that is here can be named in set-commits --commit."
    >
      {offers.length > 0 && (
        <ul aria-label="Named by links to the code" className="grid gap-2 pb-4">
          {offers.map(({ name, provider, projectName }) => (
            <li key={name}>
              <Form method="post" className="flex flex-wrap items-center gap-2 text-sm">
                <input type="hidden" name="name" value={name} />
                <input type="hidden" name="provider" value={provider ?? ""} />
                <Button type="submit" name="intent" value="create" size="sm">
                  Add {name}
                </Button>
                <span className="text-muted">
                  {provider && provider !== "other" && `${CODE_HOST_NAMES[provider]}, `}where {projectName} links to
                </span>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form method="post" className="grid max-w-form gap-4">
        <CodeField
          label="Name"
          name="name"
          required
          maxLength={200}
          placeholder="acme/shop"
          hint="As tools call it: the owner, a slash, the repository."
          error={error?.field === "name" ? error.message : null}
        />
        <RepositoryPlaceFields provider={null} url={null} error={error?.repositoryId === undefined ? error : null} />
        <div>
          <Button type="submit" name="intent" value="create" variant="primary" isPending={isPending}>
            Add repository
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
