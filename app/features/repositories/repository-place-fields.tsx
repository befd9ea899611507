import type { Repository } from "../../domain/repository.ts";
import { CODE_HOST_NAMES, CODE_HOSTS } from "../../domain/source-link.ts";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toErrorOf } from "../../ui/intent-form.tsx";

/** Host and address of a new or an existing repository. */
export function RepositoryPlaceFields({
  provider,
  url,
  error,
}: Pick<Repository, "provider" | "url"> & { error: { field: string; message: string } | null }) {
  const errorOf = toErrorOf(error);
  return (
    <>
      <SelectField label="Host" name="provider" defaultValue={provider ?? ""} error={errorOf("provider")}>
        <option value="">Not known</option>
        {CODE_HOSTS.map((host) => (
          <option key={host} value={host}>
            {host === "other" ? "Another one" : CODE_HOST_NAMES[host]}
          </option>
        ))}
      </SelectField>
      <CodeField
        label="Address for tools"
        name="url"
        defaultValue={url ?? ""}
        placeholder="https://github.com/acme/shop"
        hint="Leave it empty: then set-commits --auto sends commits with their files. With the address of a GitHub or Bitbucket repository it sends only the newest commit, and expects the server to ask the host for the rest. Culprit asks no host."
        error={errorOf("url")}
      />
    </>
  );
}
