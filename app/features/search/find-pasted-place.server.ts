import type { Workspace } from "../../access/workspace.ts";
import { toEventId } from "../events/event-id.ts";
import { findNamedPlace, type NamedPlace, toNamedPath } from "../issues/find-named-place.server.ts";

/** A page of this server, or what an id names. */
export type PastedPlace = NamedPlace | { kind: "page"; path: string };

/** What a pasted id or address means. Null: nothing, or nothing in the scope. */
export async function findPastedPlace(
  workspace: Workspace,
  text: string,
  { origin }: { origin: string },
): Promise<PastedPlace | null> {
  return (await findPastedAddress(workspace, text, { origin })) ?? findNamedPlace(workspace, text);
}

/**
 * What a pasted address means. An address of this server (`origin`, or the public one) is that page. An address of another server, like
 * Sentry, is the event, trace or issue that it names, if it is here, too.
 */
async function findPastedAddress(
  workspace: Workspace,
  text: string,
  { origin }: { origin: string },
): Promise<PastedPlace | null> {
  const url = readUrl(text);
  if (!url) return null;
  const { publicUrl } = workspace.settings;
  if (url.origin === origin || (publicUrl !== null && url.origin === new URL(publicUrl).origin)) {
    // With two slashes at the start, a redirect would lead to another host.
    const path = `/${url.pathname.replace(/^\/+/, "")}${url.search}${url.hash}`;
    return url.pathname.startsWith("/api/") ? null : { kind: "page", path };
  }
  for (const id of listIds(url)) {
    const place = await findNamedPlace(workspace, id);
    if (place) return place;
  }
  return null;
}

/** The trace that a pasted id or address leads to; null: it leads elsewhere. */
export function findPastedTrace(place: PastedPlace): string | null {
  if (place.kind === "page") return toEventId(/^\/traces\/([^/?#]+)/.exec(place.path)?.[1] ?? "");
  return place.kind === "trace" ? place.traceId : null;
}

export function toPastedPath(place: PastedPlace): string {
  return place.kind === "page" ? place.path : toNamedPath(place);
}

function readUrl(text: string): URL | null {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) ? URL.parse(trimmed) : null;
}

/** The ids in an address, most specific first: `…/issues/SHOP-1/events/<id>/`. A numeric issue id is only valid on its own server. */
function listIds({ pathname }: URL): string[] {
  const segments = pathname.split("/");
  const ids = segments.filter((segment) => toEventId(segment) !== null).reverse();
  const issue = segments[segments.indexOf("issues") + 1];
  return issue !== undefined && segments.includes("issues") ? [...ids, issue] : ids;
}
