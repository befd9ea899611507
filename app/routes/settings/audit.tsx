import { Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import { AUDIT_KEPT_DAYS, MAX_AUDIT_ENTRIES } from "../../domain/audit/audit-entry.ts";
import { AuditEntries } from "../../features/audit/audit-entries.tsx";
import { ChainNotice } from "../../features/audit/chain-notice.tsx";
import { listAudit, readAuditQuery } from "../../features/audit/list-audit.server.ts";
import { SearchRefusal } from "../../features/search/search-refusal.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/audit.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const query = readAuditQuery(url.searchParams);
  const [list, check] = await Promise.all([
    listAudit(workspace, { ...query, now: Date.now() }),
    url.searchParams.has("check") ? workspace.state.audit.checkEntries(workspace.scope) : null,
  ]);
  return { list, check, isNewest: query.before === null };
}

const EXAMPLES = [
  "action:token.*",
  "actor:ada time:-7d",
  "target.kind:member",
  "actor.kind:token",
  "action:session.failed",
];

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  const { list, check, isNewest } = loaderData;
  const { search, entries, nextBefore, errors } = list;
  const toSearch = (extra: Record<string, string>) =>
    `?${new URLSearchParams({ ...(search ? { q: search } : {}), ...extra })}`;
  return (
    <div className="grid max-w-[64rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Audit log"
        trail={[{ label: "Settings", to: "/settings" }]}
        description={`This log says who changed access, settings or data. Entries are never changed, and each one carries the hash of the one before it. They are kept for ${AUDIT_KEPT_DAYS / 365} years, and ${MAX_AUDIT_ENTRIES.toLocaleString("en")} of them at most.`}
        actions={
          <>
            <LinkButton to={toSearch({ check: "on" })}>Check the chain</LinkButton>
            <LinkButton to={`/settings/audit/export${toSearch({ format: "csv" })}`} reloadDocument>
              CSV
            </LinkButton>
            <LinkButton to={`/settings/audit/export${toSearch({ format: "json" })}`} reloadDocument>
              JSON
            </LinkButton>
          </>
        }
      />
      {check && <ChainNotice check={check} />}
      <Form role="search" className="flex flex-wrap items-center gap-2">
        <SearchInput label="Search the audit log" placeholder="Part of a name, or action:member.*" text={search} />
        <Button type="submit">Search</Button>
      </Form>
      <p className="text-muted text-xs">
        For example{" "}
        {EXAMPLES.map((example, index) => (
          <span key={example}>
            {index > 0 && ", "}
            <TextLink to={`?q=${encodeURIComponent(example)}`}>{example}</TextLink>
          </span>
        ))}
      </p>
      {errors.length > 0 && <SearchRefusal id="audit-refusal" search={search} errors={errors} />}
      {entries.length > 0 ? (
        <Panel title={search ? "Found entries" : "Entries"} isFlush>
          <AuditEntries entries={entries} />
        </Panel>
      ) : (
        errors.length === 0 && (
          <EmptyState title={nextBefore === null ? "No entry matches" : "Nothing found so far"}>
            {nextBefore === null
              ? "Try fewer words, or a longer time."
              : "The log is long. “Next” looks through older entries."}
          </EmptyState>
        )
      )}
      <Pagination
        previousTo={isNewest ? null : toSearch({})}
        nextTo={nextBefore === null ? null : toSearch({ before: String(nextBefore) })}
      />
    </div>
  );
}

export function meta() {
  return [{ title: "Audit log · Culprit" }];
}

export const handle = { section: "settings" };
