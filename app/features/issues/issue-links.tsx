import { ExternalLink, X } from "lucide-react";
import { useFetcher } from "react-router";
import { TRACKER_LABELS, TRACKERS } from "../../domain/issues/tracker.ts";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import type { IssuePage } from "./get-issue-page.server.ts";

/** The tasks in other trackers that the issue is linked to, and the form for a new one. */
export function IssueLinks({ issueId, links: { links, form } }: { issueId: number; links: IssuePage["links"] }) {
  const mayChange = useMay("event:write");
  const fetcher = useFetcher<ChangeStatusResult>({ key: `status of issue ${issueId}` });
  const action = `/issues/${issueId}`;
  if (!mayChange && links.length === 0) return null;
  return (
    <section aria-labelledby="issue-links" className="grid gap-2 text-sm">
      <h2 id="issue-links" className="text-sm">
        Elsewhere
      </h2>
      {links.length > 0 && (
        <ul className="grid gap-1">
          {links.map(({ id, url, name }) => (
            <li key={id} className="flex items-center gap-1">
              <a href={url} target="_blank" rel="noreferrer" className="min-w-0 truncate text-link underline">
                <bdi>{name}</bdi>
              </a>
              {mayChange && (
                <fetcher.Form method="post" action={action}>
                  <input type="hidden" name="intent" value="unlink" />
                  <input type="hidden" name="link" value={id} />
                  <button type="submit" className="icon-x" aria-label={`Remove the link to ${name}`}>
                    <X aria-hidden="true" className="size-4" />
                  </button>
                </fetcher.Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <>
          {form && (
            <div>
              <a
                href={form.url}
                target="_blank"
                rel="noreferrer"
                className={buttonClassNames("secondary", "sm")}
                data-shortcut="t"
              >
                <ExternalLink aria-hidden="true" />
                Create in {form.label}
              </a>
            </div>
          )}
          {/* The new key empties the field after a link was added. */}
          <fetcher.Form key={links.length} method="post" action={action} className="flex gap-1">
            <input type="hidden" name="intent" value="link" />
            <Input
              type="url"
              name="url"
              controlSize="sm"
              required
              aria-label="Address of an issue elsewhere"
              data-focus="l"
              placeholder="https://…/issues/12"
              autoComplete="off"
              className="min-w-0 flex-1"
            />
            <Button type="submit" size="sm">
              Link
            </Button>
          </fetcher.Form>
          <details>
            {/* Without a tracker, the shortcut opens the form that sets one. */}
            <summary
              className="cursor-pointer text-muted text-xs pointer-coarse:py-2.5"
              data-shortcut={form ? undefined : "t"}
            >
              {form ? "Another tracker" : "Create tasks in GitHub, GitLab, Jira or Linear"}
            </summary>
            <fetcher.Form method="post" action={action} className="grid gap-1.5 pt-1.5">
              <input type="hidden" name="intent" value="tracker" />
              <Input
                type="url"
                name="address"
                controlSize="sm"
                required
                aria-label="Address of the tracker"
                placeholder="https://github.com/acme/shop"
                defaultValue={form?.address}
              />
              <div className="flex gap-1">
                <Select name="kind" controlSize="sm" aria-label="Kind of the tracker" defaultValue="">
                  <option value="">By its address</option>
                  {toOptions(TRACKERS, (kind) => [kind, TRACKER_LABELS[kind]])}
                </Select>
                <Button type="submit" size="sm">
                  Save
                </Button>
              </div>
              <p className="text-faint text-xs">
                For all issues of the project. Of Jira, end the address with ?pid=…&issuetype=…, the numbers of the
                project and the type. Nothing is sent: its form opens filled in.
              </p>
            </fetcher.Form>
          </details>
        </>
      )}
    </section>
  );
}
