import { Form } from "react-router";
import { CODE_HOST_NAMES, CODE_HOSTS, type SourceLinks } from "../../domain/source-link.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";

/** Where the project's code is, so that frames and commits can be opened there. */
export function SourceLinkSettings({
  links,
  error,
}: {
  links: SourceLinks | null;
  error: { field: string; message: string } | null;
}) {
  const errorOf = (field: string) => (error?.field === field ? error.message : null);
  return (
    <Panel
      id="source-links"
      title="Links to the code"
      description="Frames of stack traces and commits of releases get links to the repository. Nothing is fetched from it."
    >
      <Form method="post" className="grid max-w-form gap-4">
        <SelectField label="Host" name="host" defaultValue={links?.host ?? ""} error={errorOf("host")}>
          <option value="">No links</option>
          {CODE_HOSTS.map((host) => (
            <option key={host} value={host}>
              {host === "other" ? "Another one, by a template" : CODE_HOST_NAMES[host]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Repository"
          name="repositoryUrl"
          defaultValue={links?.repositoryUrl ?? ""}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          placeholder="https://github.com/acme/shop"
          hint="The address of its page."
          error={errorOf("repositoryUrl")}
        />
        <TextField
          label="Template"
          name="template"
          defaultValue={links?.template ?? ""}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          placeholder="https://code.example/shop/{revision}/{path}#{line}"
          hint="Only for another host: with {path}, and {line}, {column}, {revision} where they go."
          error={errorOf("template")}
        />
        <TextField
          label="Default branch"
          name="defaultBranch"
          defaultValue={links?.defaultBranch ?? "main"}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          hint="Where the event’s release does not say which revision it was built from."
          error={errorOf("defaultBranch")}
        />
        <TextField
          label="Cut off the front of paths"
          name="stripPrefix"
          defaultValue={links?.stripPrefix ?? ""}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          placeholder="/srv/app/"
          hint="Then only frames whose path begins with it get a link. Needed where frames name paths of a machine."
          error={errorOf("stripPrefix")}
        />
        <TextField
          label="Folder in the repository"
          name="sourceRoot"
          defaultValue={links?.sourceRoot ?? ""}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          placeholder="packages/web"
          hint="Put before what is left of the path. Empty: the root."
          error={errorOf("sourceRoot")}
        />
        <div>
          <Button type="submit" name="intent" value="source-links">
            Save links
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
