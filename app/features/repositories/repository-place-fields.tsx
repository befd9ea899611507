import type { Repository } from "../../domain/repository.ts";
import { CODE_HOST_NAMES, CODE_HOSTS } from "../../domain/source-link.ts";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";

/** Host and address of a new or an existing repository. */
export function RepositoryPlaceFields({
  provider,
  url,
  error,
}: Pick<Repository, "provider" | "url"> & { error: { field: string; message: string } | null }) {
  const field = toFieldOf(error);
  return (
    <>
      <SelectField label="Host" {...field("provider", provider ?? "")}>
        <option value="">Not known</option>
        {toOptions(CODE_HOSTS, (host) => [host, host === "other" ? "Another one" : CODE_HOST_NAMES[host]])}
      </SelectField>
      <CodeField
        label="Address for tools"
        {...field("url", url ?? "")}
        placeholder="https://github.com/acme/shop"
        hint="Leave it empty: then set-commits --auto sends commits with their files. With the address of a GitHub or Bitbucket repository it sends only the newest commit, and expects the server to ask the host for the rest. Culprit asks no host."
      />
    </>
  );
}
