import { Form } from "react-router";
import { CODE_HOST_NAMES } from "../../domain/source-link.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { IfMay } from "../frame/use-may.tsx";
import type { RepositoryResult } from "./change-repositories.server.ts";
import type { RepositoryItem } from "./list-repositories.server.ts";
import { RepositoryPlaceFields } from "./repository-place-fields.tsx";

type Refusal = Extract<RepositoryResult, { ok: false }>;

/** The repositories by name, each with what tools are told about it. */
export function RepositoryList({
  repositories,
  error,
}: {
  repositories: readonly RepositoryItem[];
  error: Refusal | null;
}) {
  if (repositories.length === 0) return null;
  return (
    <Panel title="Repositories" isFlush>
      <ul className="divide-y divide-line">
        {repositories.map((repository) => (
          <li key={repository.id} className="grid gap-2 p-4">
            <RepositoryEntry repository={repository} error={error?.repositoryId === repository.id ? error : null} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RepositoryEntry({ repository, error }: { repository: RepositoryItem; error: Refusal | null }) {
  const { id, name, provider, url, page, status, createdAt, lastCommitAt } = repository;
  const isDisabled = status === "disabled";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="wrap-anywhere font-mono text-base">{name}</h3>
        {provider && provider !== "other" && <Badge>{CODE_HOST_NAMES[provider]}</Badge>}
        {isDisabled && <Badge>Disabled</Badge>}
      </div>
      {page && (
        <p className="wrap-anywhere text-sm">
          <a href={page} rel="noreferrer" className="text-link">
            {page}
          </a>
        </p>
      )}
      <p className="text-muted text-sm">
        {isDisabled
          ? "Tools are not told of it."
          : isNamedByTools(repository)
            ? "set-commits --auto names its newest commit alone."
            : "set-commits --auto sends its commits, with their files."}
      </p>
      <p className="text-muted text-xs">
        Known since <RelativeTime at={createdAt} />,{" "}
        {lastCommitAt === null ? (
          "no commit yet"
        ) : (
          <>
            newest commit <RelativeTime at={lastCommitAt} />
          </>
        )}
      </p>
      <IfMay right="project:write">
        <Disclosure open={error !== null} summary={<span className="text-sm">Change</span>}>
          <div className="grid gap-4 pt-3">
            <Form method="post" className="grid max-w-form gap-4">
              <input type="hidden" name="repository" value={id} />
              <RepositoryPlaceFields provider={provider} url={url} error={error} />
              <div>
                <Button type="submit" name="intent" value="place" size="sm">
                  Save {name}
                </Button>
              </div>
            </Form>
            <Form method="post" className="flex flex-wrap items-center gap-2">
              <input type="hidden" name="repository" value={id} />
              <Button type="submit" name="intent" value={isDisabled ? "enable" : "disable"} size="sm">
                {isDisabled ? "Enable" : "Disable"} {name}
              </Button>
              <Button type="submit" name="intent" value="delete" variant="danger" size="sm">
                Delete {name}
              </Button>
              <p className="text-muted text-xs">
                Commits stay. The next build that names it adds it again. To hide it for good, disable it.
              </p>
            </Form>
          </div>
        </Disclosure>
      </IfMay>
    </>
  );
}

/** Whether sentry-cli recognizes a checkout of it: sentry-cli compares addresses of these hosts only. */
function isNamedByTools({ provider, url }: RepositoryItem): boolean {
  return url !== null && (provider === "github" || provider === "bitbucket");
}
