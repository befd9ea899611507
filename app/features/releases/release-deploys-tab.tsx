import type { Deploy } from "../../domain/release.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { IfMay } from "../frame/use-may.tsx";
import { WebLink } from "./release-header.tsx";
import { toReleasePath } from "./release-paths.ts";
import { EnvironmentBadge } from "./release-table.tsx";

/** The deploys of the release, and a form for another one. */
export function ReleaseDeploysTab({
  version,
  projects,
  deploys,
  error,
}: {
  version: string;
  /** The projects of the release. */
  projects: ReadonlyArray<{ id: number; name: string }>;
  deploys: readonly Deploy[];
  error: { field: string; message: string } | null;
}) {
  const field = toFieldOf(error);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Panel title="Deploys" isFlush>
        {deploys.length === 0 ? (
          <EmptyState title="Not deployed yet">
            A build tells with <code>sentry-cli deploys new</code>; deploys mark the graphs of issues.
          </EmptyState>
        ) : (
          <ol aria-label="Deploys" className="divide-y divide-line">
            {deploys.map((deploy) => (
              <li key={deploy.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
                <EnvironmentBadge name={deploy.environment} />
                <span>
                  <RelativeTime at={deploy.finishedAt} />{" "}
                  <span className="text-muted text-xs">
                    <AbsoluteTime at={deploy.finishedAt} />
                  </span>
                </span>
                {deploy.startedAt !== null && deploy.startedAt <= deploy.finishedAt && (
                  <span className="text-muted text-xs">took {sayDuration(deploy.finishedAt - deploy.startedAt)}</span>
                )}
                {deploy.projectIds !== null && projects.length > 1 && (
                  <span className="wrap-anywhere text-muted text-xs">
                    of {nameProjects(deploy.projectIds, projects)}
                  </span>
                )}
                {deploy.name && <span className="wrap-anywhere">{deploy.name}</span>}
                {deploy.url && <WebLink url={deploy.url} />}
              </li>
            ))}
          </ol>
        )}
      </Panel>
      <IfMay right="project:releases">
        <Panel
          title="Record a deploy"
          description="For a deploy that no build has recorded. It counts as finished now."
        >
          {/* The new key empties the form after each deploy. */}
          <IntentForm
            key={deploys[0]?.id ?? 0}
            action={toReleasePath(version, "deploys")}
            intent="add-deploy"
            submit="Record deploy"
          >
            <TextField
              label="Environment"
              {...field("environment")}
              required
              maxLength={64}
              autoComplete="off"
              placeholder="production"
            />
            <TextField label="Address" {...field("url")} type="url" maxLength={2000} hint="May be empty." />
            <TextField label="Name" {...field("name")} maxLength={200} hint="May be empty." />
          </IntentForm>
        </Panel>
      </IfMay>
    </div>
  );
}

function nameProjects(ids: readonly number[], projects: ReadonlyArray<{ id: number; name: string }>): string {
  return projects
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(", ");
}

function sayDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
