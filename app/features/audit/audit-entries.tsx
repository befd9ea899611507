import { Link } from "react-router";
import {
  AUDIT_ACTIONS,
  type AuditActor,
  type AuditChange,
  type AuditEntry,
  type AuditValue,
  isAuditAction,
} from "../../domain/audit/audit-entry.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { toActorWords } from "./actor-words.ts";
import { toFieldWords } from "./field-words.ts";

const ACTOR_WORDS: Record<AuditActor["kind"], string> = {
  member: "",
  token: "token",
  job: "background job",
  command: "command line",
  stranger: "",
  server: "server",
};

/** Entries of the audit log: who changed what, with the values before and after. */
export function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="divide-y divide-line" aria-label="Entries">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { id, at, actor, action, target, changes, hash } = entry;
  return (
    <li id={`entry-${id}`} className="grid gap-1 px-4 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-4">
      <p className="tabular text-muted text-xs sm:pt-0.5">
        <AbsoluteTime at={at} />
        <span className="block">{actor.address ?? "no client"}</span>
      </p>
      <div className="grid min-w-0 gap-1">
        <p className="wrap-anywhere text-sm">
          <span className="font-semibold">{toActorWords(actor)}</span>{" "}
          {ACTOR_WORDS[actor.kind] && <Badge>{ACTOR_WORDS[actor.kind]}</Badge>}{" "}
          <Link to={`/settings/audit?q=${encodeURIComponent(`action:${action}`)}`} className="hover:underline">
            {isAuditAction(action) ? lowerFirst(AUDIT_ACTIONS[action]) : action}
          </Link>
          {/* The organization is not named, because there is only one. */}
          {target.name !== actor.name && target.kind !== "organization" && (
            <>
              : <span className="font-semibold">{target.name}</span>
            </>
          )}
        </p>
        {changes.length > 0 && (
          <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
            {changes.map((change) => (
              <li key={change.field} className="wrap-anywhere">
                <ChangeWords change={change} />
              </li>
            ))}
          </ul>
        )}
        <p className="text-faint text-xs">
          <span className="font-mono">{action}</span> · entry {id} ·{" "}
          <span className="font-mono" title={`SHA-256: ${hash}`}>
            {hash.slice(0, 12)}
          </span>
        </p>
      </div>
    </li>
  );
}

/** One change in words. New values are shown plainly. Changed ones have − and +, so that not only the colour shows it. */
function ChangeWords({ change: { field, before, after } }: { change: AuditChange }) {
  if (before === undefined)
    return (
      <>
        <span className="text-muted">{toFieldWords(field)}:</span> {sayValue(after ?? null)}
      </>
    );
  return (
    <>
      <span className="text-muted">{toFieldWords(field)}:</span>{" "}
      <del className="text-error no-underline">
        − <span className="sr-only">was </span>
        {sayValue(before)}
      </del>{" "}
      {after !== undefined && (
        <ins className="text-resolved no-underline">
          + <span className="sr-only">is </span>
          {sayValue(after)}
        </ins>
      )}
    </>
  );
}

function sayValue(value: AuditValue): string {
  if (value === null || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  return value.length === 0 ? "none" : value.map(sayValue).join(", ");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
