import { useState } from "react";
import { Form } from "react-router";
import { CODE_HOST_NAMES, CODE_HOSTS, type SourceLinks } from "../../domain/source-link.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toErrorOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { CodeMappingRows } from "./code-mapping-rows.tsx";
import type { SampleFrame } from "./list-sample-frames.server.ts";
import { changeRows, type SourceLinkDraft, toDraft } from "./source-link-draft.ts";
import { SourceLinkExamples } from "./source-link-examples.tsx";

/** Says where the project’s code is, so that frames and commits can be opened there. */
export function SourceLinkSettings({
  slug,
  saved,
  posted,
  samples,
  repositoryPages,
  error,
}: {
  slug: string;
  saved: SourceLinks | null;
  /** Values of the last posted form that were not saved. Undefined: there are none. */
  posted: SourceLinkDraft | undefined;
  samples: readonly SampleFrame[];
  /** Suggestions while the reader types. */
  repositoryPages: readonly string[];
  error: { field: string; message: string } | null;
}) {
  const savedKey = JSON.stringify(saved);
  const [state, setState] = useState(() => ({ ...toStart(posted ?? toDraft(saved)), posted, savedKey }));
  // Values from the server replace what was typed. Answers to other forms of the page do not.
  if (posted !== undefined && posted !== state.posted) setState({ ...toStart(posted), posted, savedKey });
  else if (savedKey !== state.savedKey) setState({ ...toStart(toDraft(saved)), posted, savedKey });
  const { draft, areRowsMoved } = state;
  const change = (next: Partial<SourceLinkDraft>) => setState({ ...state, draft: { ...draft, ...next } });
  const errorOf = toErrorOf(error);
  const field = (name: Exclude<keyof SourceLinkDraft, "codeMappings">) => ({
    name,
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change({ [name]: currentTarget.value }),
    error: errorOf(name),
  });
  return (
    <Panel
      id="source-links"
      title="Links to the code"
      description="Frames and commits link to your repository. Culprit fetches nothing from it."
    >
      <Form method="post" className="group/links grid gap-4">
        {/* Enter presses the first submit button of a form. This one comes before the buttons of the rows. */}
        <button type="submit" name="intent" value="source-links" hidden tabIndex={-1}>
          Save links
        </button>
        <SelectField label="Host" {...field("host")} className="max-w-form">
          <option value="">No links</option>
          {toOptions(CODE_HOSTS, (host) => [
            host,
            host === "other" ? "Another one, by a template" : CODE_HOST_NAMES[host],
          ])}
        </SelectField>
        {/* Hidden by the chosen option, also without script. */}
        <div className="grid gap-4 group-has-[option[value='']:checked]/links:hidden">
          <CodeField
            label="Repository"
            {...field("repositoryUrl")}
            list="repository-pages"
            className="max-w-form"
            placeholder="https://github.com/acme/shop"
            hint="The address of its page."
          />
          <datalist id="repository-pages">
            {repositoryPages.map((page) => (
              <option key={page} value={page} />
            ))}
          </datalist>
          <CodeField
            label="Template"
            {...field("template")}
            className="hidden max-w-form group-has-[option[value=other]:checked]/links:grid"
            placeholder="https://code.example/shop/{revision}/{path}#{line}"
            hint="With {path}, and {line}, {column}, {revision} where they go."
          />
          <CodeField
            label="Default branch"
            {...field("defaultBranch")}
            className="max-w-form"
            hint="Used when the event’s release does not name the revision that it was built from."
          />
          <CodeMappingRows
            slug={slug}
            rows={draft.codeMappings}
            onType={(index, row) =>
              change({ codeMappings: draft.codeMappings.map((other, place) => (place === index ? row : other)) })
            }
            onChange={(rowChange) => setState({ ...state, draft: changeRows(draft, rowChange), areRowsMoved: true })}
            errorOf={areRowsMoved ? () => null : errorOf}
          />
          <SourceLinkExamples slug={slug} draft={draft} samples={samples} />
        </div>
        <div>
          <Button type="submit" name="intent" value="source-links">
            Save links
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function toStart(draft: SourceLinkDraft) {
  // Errors name a row by its number, which is valid until rows are moved.
  return { draft, areRowsMoved: false };
}
