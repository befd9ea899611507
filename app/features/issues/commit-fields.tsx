import { Input, Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";

/** The fields for a commit id and its repository. */
export function CommitFields({
  repositories,
  listId,
  form,
}: {
  /** Known repositories. Empty: none is known. */
  repositories: readonly string[];
  /** The id of a `datalist` of commits. */
  listId?: string | undefined;
  /** The id of the fields' form, if it is not around them. */
  form?: string;
}) {
  return (
    <>
      <Input
        name="commit"
        form={form}
        controlSize="sm"
        aria-label="Commit id"
        placeholder="Commit id"
        // The form of a list also sends other actions.
        required={form === undefined}
        maxLength={64}
        pattern="\s*[0-9A-Za-z._\-]+\s*"
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        list={listId}
      />
      {repositories.length > 0 ? (
        <Select name="repository" form={form} controlSize="sm" aria-label="Repository">
          {toOptions(repositories, (name) => [name, name || "(no name)"])}
        </Select>
      ) : (
        <Input
          name="repository"
          form={form}
          controlSize="sm"
          aria-label="Repository"
          placeholder="Repository, like acme/shop"
          maxLength={200}
          autoComplete="off"
        />
      )}
    </>
  );
}
