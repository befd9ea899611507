import { Trash2 } from "lucide-react";
import { Fragment } from "react";
import { Form, Link } from "react-router";
import type { ArtifactFile } from "../../domain/artifact.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { Pagination } from "../../ui/pagination.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toSourceMapsPath } from "../source-maps/source-map-paths.ts";
import type { ReleaseBundle, ReleaseFilesPage } from "./list-release-files.server.ts";
import { quote } from "./release-commits-tab.tsx";
import { toReleasePath } from "./release-paths.ts";

/** What was uploaded for the release: when, by whom, what it holds. */
export function ReleaseFilesTab({
  version,
  projects,
  files: { bundles, nextCursor },
  cursor,
}: {
  version: string;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  files: ReleaseFilesPage;
  /** Of this page, to stay on it. */
  cursor: string | null;
}) {
  const path = toReleasePath(version, "files");
  if (bundles.length === 0) {
    return (
      <div className="mx-auto grid w-full max-w-prose gap-3 py-8">
        <h2 className="text-lg">No files yet</h2>
        <p className="text-muted text-sm">
          Source maps that are uploaded for this release are listed here. Those uploaded without a release work by their
          debug ids, and are listed only with their project
          {projects.map(({ slug, name }, index) => (
            <Fragment key={slug}>
              {index === 0 ? ": " : ", "}
              <TextLink to={toSourceMapsPath(slug)}>{name}</TextLink>
            </Fragment>
          ))}
          .
        </p>
        <CodeBlock
          code={`sentry-cli sourcemaps inject ./dist\nsentry-cli sourcemaps upload --release ${quote(version)} ./dist`}
          label="Commands of a build"
        />
      </div>
    );
  }
  return (
    <>
      <Card>
        <ul aria-label="Uploads" className="divide-y divide-line">
          {bundles.map((bundle) => (
            <li key={bundle.id} className="grid gap-2 p-4">
              <Upload bundle={bundle} version={version} path={path} cursor={cursor} />
            </li>
          ))}
        </ul>
      </Card>
      {(nextCursor || cursor) && (
        <Pagination
          label="Pages of uploads"
          previousTo={cursor ? path : null}
          nextTo={nextCursor && `${path}?${new URLSearchParams({ cursor: nextCursor })}`}
        />
      )}
    </>
  );
}

function Upload({
  bundle,
  version,
  path,
  cursor,
}: {
  bundle: ReleaseBundle;
  version: string;
  path: string;
  cursor: string | null;
}) {
  const { files, fileCount } = bundle;
  const name = bundle.container === "zip" ? "Artifact bundle" : "Single file";
  const others = bundle.releases.filter((release) => release.version !== version).map((release) => release.version);
  const search = new URLSearchParams({ bundle: String(bundle.id), ...(cursor ? { cursor } : {}) });
  return (
    <>
      <h2 className="wrap-anywhere flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
        Upload {bundle.id}
        <Badge>{name}</Badge>
        {bundle.container === "file" && files?.[0]?.url && (
          <span className="font-mono font-normal text-sm">{files[0].url}</span>
        )}
        <span className="font-normal text-muted text-sm">{formatBytes(bundle.bytes)}</span>
      </h2>
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span>
          Uploaded <RelativeTime at={bundle.uploadedAt} />{" "}
          {bundle.uploadedBy === null ? "by a person or the operator’s token" : `with the token “${bundle.uploadedBy}”`}
        </span>
        {bundle.dist !== null && <span>dist {bundle.dist}</span>}
        {bundle.debugId !== null && (
          <span>
            bundle <code className="wrap-anywhere">{withDashes(bundle.debugId)}</code>
          </span>
        )}
        {others.length > 0 && <span className="wrap-anywhere">also for {others.slice(0, 5).join(", ")}</span>}
        {bundle.note !== null && <span className="wrap-anywhere">{bundle.note}</span>}
      </p>
      {files === null ? (
        <Link to={`${path}?${search}`} preventScrollReset className="text-link justify-self-start text-sm">
          Show its {fileCount.toLocaleString("en")} files
        </Link>
      ) : (
        <Disclosure
          open={fileCount > 0 && files.length > 20 ? true : undefined}
          summary={
            <span className="text-sm">
              {fileCount.toLocaleString("en")} {fileCount === 1 ? "file" : "files"}, {sayDebugIds(files)}
            </span>
          }
        >
          <FileList files={files} fileCount={fileCount} />
        </Disclosure>
      )}
      <Disclosure summary={<span className="text-sm">Delete</span>}>
        <Form
          method="post"
          action={cursor ? `${path}?${new URLSearchParams({ cursor })}` : path}
          className="flex flex-wrap items-center gap-2 pt-2"
        >
          <input type="hidden" name="bundle" value={bundle.id} />
          <Button
            type="submit"
            name="intent"
            value="delete-upload"
            variant="danger"
            size="sm"
            icon={<Trash2 aria-hidden="true" />}
          >
            Delete this upload
          </Button>
          <p className="text-muted text-xs">
            New events are no longer mapped by it{others.length > 0 && ", those of the other releases neither"}. This
            cannot be undone.
          </p>
        </Form>
      </Disclosure>
    </>
  );
}

function sayDebugIds(files: readonly ArtifactFile[]): string {
  const count = new Set(files.flatMap(({ debugId }) => debugId ?? [])).size;
  return count === 0 ? "no debug id" : count === 1 ? "1 debug id" : `${count.toLocaleString("en")} debug ids`;
}

const TYPES: Record<ArtifactFile["type"], string> = {
  source: "source",
  minified_source: "script",
  source_map: "source map",
  indexed_ram_bundle: "RAM bundle",
};

function FileList({ files, fileCount }: { files: readonly ArtifactFile[]; fileCount: number }) {
  return (
    <ul className="grid gap-1.5 pt-2 pl-5 text-xs">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one path may be there twice, and files do not move
        <li key={index} className="wrap-anywhere flex flex-wrap gap-x-3">
          <span className="font-mono">{file.url ?? file.path}</span>
          <span className="text-muted">
            {TYPES[file.type]}, {formatBytes(file.bytes)}
          </span>
          {file.debugId !== null && (
            <span className="text-muted">
              debug id <code>{withDashes(file.debugId)}</code>
            </span>
          )}
        </li>
      ))}
      {fileCount > files.length && (
        <li className="text-muted">and {(fileCount - files.length).toLocaleString("en")} more</li>
      )}
    </ul>
  );
}
