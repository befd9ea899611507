import { Panel } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** Whether source maps that were not uploaded are fetched from where the application serves its files. */
export function SourceMapSettings({ slug, isFetching }: { slug: string; isFetching: boolean }) {
  return (
    <Panel
      title="Source maps"
      description="Builds upload them. A page of their own shows what is missing and how to upload."
      actions={
        <TextLink to={`/projects/${slug}/source-maps`} className="text-sm">
          Source maps of the project
        </TextLink>
      }
    >
      <IntentForm intent="fetch-source-maps" submit="Save source maps">
        <CheckboxField
          label="Fetch source maps that nobody uploaded"
          name="fetch"
          defaultChecked={isFetching}
          hint="When somebody opens an event, this server fetches the script and its source map from the application, over http or https, from public addresses only. If allowed origins are set below, it asks only those."
        />
      </IntentForm>
    </Panel>
  );
}
