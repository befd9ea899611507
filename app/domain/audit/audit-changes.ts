import { cutText } from "../cut-text.ts";
import type { AuditChange, AuditFields, AuditValue } from "./audit-entry.ts";

/** Longer texts are cut: an entry tells what changed, and is not a copy of it. */
export const MAX_TEXT_CHARS = 300;
export const MAX_LIST_ITEMS = 50;
const MAX_CHANGES = 40;

/** The fields that differ, in the order of `before`, then of `after`. All of them where one side is absent. */
export function listChanges(before: AuditFields | undefined, after: AuditFields | undefined): AuditChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field): AuditChange => {
      const [old, now] = [before?.[field], after?.[field]];
      return {
        field,
        ...(old === undefined ? {} : { before: shorten(old) }),
        ...(now === undefined ? {} : { after: shorten(now) }),
      };
    })
    .filter(
      ({ field }) =>
        before === undefined || after === undefined || !isSame(before[field] ?? null, after[field] ?? null),
    )
    .slice(0, MAX_CHANGES);
}

/** An address that may carry a secret, as far as it is none: without the path, the search and the sign-in. */
export function maskAddress(address: string): string {
  if (!URL.canParse(address)) return "•••";
  const { protocol, host, pathname, search } = new URL(address);
  return `${protocol}//${host}${pathname.length > 1 || search !== "" ? "/•••" : ""}`;
}

function shorten(value: AuditValue): AuditValue {
  if (typeof value === "string") return cutText(value, MAX_TEXT_CHARS);
  if (!isList(value)) return value;
  const kept = value.slice(0, MAX_LIST_ITEMS).map(shorten);
  return value.length > kept.length ? [...kept, `… and ${value.length - kept.length} more`] : kept;
}

function isList(value: AuditValue): value is readonly AuditValue[] {
  return Array.isArray(value);
}

function isSame(one: AuditValue, other: AuditValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
