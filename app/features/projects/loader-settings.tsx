import { Form } from "react-router";
import type { ProjectKey } from "../../domain/project.ts";
import type { SdkFeature } from "../../domain/sdk-feature.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { loaderTag } from "./project-dsn.ts";

const CHOICES: ReadonlyArray<{ feature: SdkFeature; label: string; hint: string }> = [
  { feature: "tracing", label: "Tracing", hint: "How long pages and requests take, for one visit in five." },
  {
    feature: "replay",
    label: "Replay",
    hint: "A recording of the screen, for one visit in ten and for each visit with an error.",
  },
  { feature: "feedback", label: "Feedback", hint: "A button for people to tell you what went wrong." },
];

/** The key's script tag for a web page, and what it includes beside errors. */
export function LoaderSettings({ projectKey, loaderUrl }: { projectKey: ProjectKey; loaderUrl: string }) {
  return (
    <Disclosure summary={<span className="text-sm">Script tag for a web page</span>}>
      <div className="grid gap-4 pt-3">
        <CodeBlock label="First in the <head> of each page" code={loaderTag(loaderUrl)} />
        <Form method="post" className="grid gap-3">
          <input type="hidden" name="key" value={projectKey.id} />
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-semibold text-sm">The script reports errors. It can bring more:</legend>
            {CHOICES.map(({ feature, label, hint }) => (
              <CheckboxField
                key={feature}
                name="feature"
                value={feature}
                label={label}
                hint={hint}
                defaultChecked={projectKey.sdkFeatures.includes(feature)}
              />
            ))}
          </fieldset>
          <p className="text-muted text-xs">
            With errors only, pages load the SDK when the first error happens. Changes reach pages within five minutes.
          </p>
          <div>
            <Button type="submit" name="intent" value="loader-key">
              Save script
            </Button>
          </div>
        </Form>
      </div>
    </Disclosure>
  );
}
