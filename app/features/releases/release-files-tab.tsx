import { Fragment } from "react";
import { quoteWord } from "../../domain/quote-for-shell.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { UploadsPage } from "../source-maps/list-uploads.server.ts";
import { toSourceMapsPath } from "../source-maps/source-map-paths.ts";
import { UploadList } from "../source-maps/upload-list.tsx";
import { toReleasePath } from "./release-paths.ts";

/** The uploads for the release. */
export function ReleaseFilesTab({
  version,
  projects,
  uploads,
}: {
  version: string;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  uploads: UploadsPage;
}) {
  return (
    <UploadList
      page={uploads}
      toReleaseLink={(other) => toReleasePath(other, "files")}
      empty={<NoFiles version={version} projects={projects} />}
    />
  );
}

function NoFiles({ version, projects }: { version: string; projects: ReadonlyArray<{ slug: string; name: string }> }) {
  return (
    <div className="mx-auto grid w-full max-w-prose gap-3 px-4 py-8">
      <h3 className="text-lg">No files yet</h3>
      <p className="text-muted text-sm">
        This tab lists source maps that were uploaded for this release. Source maps without a release are matched by
        debug id; their project lists them
        {projects.map(({ slug, name }, index) => (
          <Fragment key={slug}>
            {index === 0 ? ": " : ", "}
            <TextLink to={toSourceMapsPath(slug)}>{name}</TextLink>
          </Fragment>
        ))}
        .
      </p>
      <CodeBlock
        code={`sentry-cli sourcemaps inject ./dist\nsentry-cli sourcemaps upload --release ${quoteWord(version)} ./dist`}
        label="Commands of a build"
      />
    </div>
  );
}
