import { findCodeMapping } from "../../domain/code-mapping.ts";
import { type SourceLinks, toSourceUrl } from "../../domain/source-link.ts";
import { Button } from "../../ui/button.tsx";
import type { SampleFrame } from "./list-sample-frames.server.ts";
import { parseSourceLinks } from "./parse-source-links.ts";
import type { SourceLinkDraft } from "./source-link-draft.ts";

/** An invented frame for a project that has not sent one yet. */
const MADE_UP: SampleFrame = { place: { filename: "src/cart.ts", lineno: 14, colno: 9 }, revision: null };

/** Shows where the project's latest frames would link to with the form's present values, saved or not. */
export function SourceLinkExamples({
  slug,
  draft,
  samples,
}: {
  slug: string;
  draft: SourceLinkDraft;
  samples: readonly SampleFrame[];
}) {
  const parsed = parseSourceLinks(draft);
  const links = parsed.ok ? parsed.links : null;
  const shown = samples.length > 0 ? samples : [MADE_UP];
  return (
    <section aria-label="Examples" className="grid min-w-0 gap-2 rounded-md bg-sunken p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="mr-auto text-sm">
          {samples.length > 0 ? "Where the latest frames lead" : "No frame has come yet; where one would lead"}
        </h3>
        <Button
          type="submit"
          name="intent"
          value="try-source-links"
          formAction={`/projects/${slug}/settings#source-links`}
          size="sm"
          className="without-script"
        >
          Try without saving
        </Button>
      </div>
      {links === null ? (
        <p className="text-muted text-xs">Complete the fields above to see examples.</p>
      ) : (
        <ul className="grid gap-2">
          {shown.map((sample) => (
            <li key={JSON.stringify(sample)} className="grid min-w-0 gap-0.5 text-xs">
              <Example sample={sample} links={links} rowOf={toRowNumbers(draft)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Example({
  sample: { place, revision },
  links,
  rowOf,
}: {
  sample: SampleFrame;
  links: SourceLinks;
  rowOf: readonly number[];
}) {
  const url = toSourceUrl(links, place, revision);
  const found = findCodeMapping(links.codeMappings, place);
  const row = found && links.codeMappings.length > 0 ? rowOf[found.index] : undefined;
  return (
    <>
      <code className="wrap-anywhere">
        {place.filename ?? place.abs_path}:{place.lineno}
        {place.filename !== undefined && place.abs_path !== undefined && place.abs_path !== place.filename && (
          <span className="text-muted"> ({place.abs_path})</span>
        )}
      </code>
      <span className="flex min-w-0 gap-x-2">
        <span aria-hidden="true">→</span>
        <span className="min-w-0">
          {url === null ? (
            <span className="text-muted">
              no link: {found ? "it would lead out of the repository" : sayUnfit(links.codeMappings.length)}
            </span>
          ) : (
            <a href={url} rel="noreferrer" className="wrap-anywhere text-link font-mono">
              {url}
            </a>
          )}
          {row !== undefined && <span className="text-muted"> by row {row}</span>}
        </span>
      </span>
    </>
  );
}

function sayUnfit(mappingCount: number): string {
  return mappingCount === 0 ? "it is a path of a machine or of the web; add a row for it" : "no row fits";
}

/** The number of each mapping's row, from 1. Empty rows are not mappings. */
function toRowNumbers({ codeMappings }: SourceLinkDraft): number[] {
  return codeMappings.flatMap(({ stackRoot, sourceRoot }, index) =>
    stackRoot.trim() === "" && sourceRoot.trim() === "" ? [] : [index + 1],
  );
}
