import { Panel } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** Whether source maps that nobody uploaded are fetched from where the application serves its files. */
export function SourceMapSettings({ slug, isFetching }: { slug: string; isFetching: boolean }) {
  return (
    <Panel
      title="Source maps"
      description="Builds upload them; what is missing, and how to upload, stands on a page of its own."
      actions={
        <TextLink to={`/projects/${slug}/source-maps`} className="text-sm">
          Source maps of the project
        </TextLink>
      }
    >
      <IntentForm intent="fetch-source-maps" submit="Save source maps">
        <CheckboxField
          label="Fetch what was not uploaded"
          name="fetch"
          defaultChecked={isFetching}
          hint="When somebody looks at an event, this server asks the application for the script and its source map: by http or https, at public addresses, from the allowed origins below where there are some."
        />
      </IntentForm>
    </Panel>
  );
}
