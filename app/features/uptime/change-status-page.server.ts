import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { compareNames } from "../../domain/compare-names.ts";
import type { Project } from "../../domain/project.ts";
import { STATUS_PAGE_LIMITS, STATUS_SLUG, type StatusPage } from "../../domain/uptime/status-page.ts";
import { nameTarget } from "../../domain/uptime/uptime-monitor.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";

export interface StatusPageSettings {
  page: StatusPage | null;
  monitors: Array<{ id: number; name: string; address: string }>;
}

export async function getStatusPageSettings(
  { state, scope }: Workspace,
  project: Project,
): Promise<StatusPageSettings> {
  const [page, monitors] = await Promise.all([
    state.statusPages.getStatusPage(scope, project.id),
    state.uptime.listUptimeMonitors(scope, { projectId: project.id }),
  ]);
  return {
    page,
    monitors: monitors
      .map(({ id, settings }) => ({ id, name: settings.name, address: nameTarget(settings.target) }))
      .sort((a, b) => compareNames(a.name, b.name)),
  };
}

export type StatusPageResult =
  | {
      ok: true;
      message: string;
      /** The status page that was deleted, which an undo restores; null when none was. */
      deleted: StatusPage | null;
    }
  | {
      ok: false;
      status: 400 | 404 | 409;
      field: "title" | "slug" | "monitor" | "showsAddresses" | "intent";
      message: string;
    };

const pageForm = z.object({
  title: text(STATUS_PAGE_LIMITS.titleChars, "must not be empty: it is the headline of the page"),
  slug: z
    .string()
    .trim()
    .regex(STATUS_SLUG, "must have 3 to 63 lower-case letters, digits and hyphens, and no hyphen at its ends")
    .optional(),
  showsAddresses: z.string().optional(),
});

/**
 * Handles the forms of the page: `save` (with `monitor` once for each monitor), `delete`, and its undo `restore-page`, which takes the
 * fields of `save`. Without a slug it makes one that nobody can guess.
 */
export async function changeStatusPage(
  { state, scope }: Workspace,
  { project, form }: { project: Project; form: FormData },
): Promise<StatusPageResult> {
  const pressed = readIntent(form, ["save", "delete", "restore-page"]);
  if (!pressed.ok) return pressed;
  if (pressed.intent === "delete") {
    const deleted = await state.statusPages.deleteStatusPage(scope, project.id);
    if (deleted) return { ok: true, message: "The page is taken down. Its address leads nowhere any more.", deleted };
    return { ok: false, status: 404, field: "intent", message: "There is no such page." };
  }
  const isUndo = pressed.intent === "restore-page";
  // The form of an undo has no visible fields.
  const refuse = (
    status: 400 | 409,
    field: "title" | "slug" | "monitor" | "showsAddresses",
    message: string,
  ): StatusPageResult => ({ ok: false, status, field: isUndo ? "intent" : field, message });
  const read = readForm(pageForm, form);
  if (!read.ok) return refuse(400, read.field, read.message);
  const known = new Set((await state.uptime.listUptimeMonitors(scope, { projectId: project.id })).map(({ id }) => id));
  const chosen = [...new Set(form.getAll("monitor").map(Number))];
  const monitorIds = chosen.filter((id) => known.has(id));
  // An undo restores the monitors of the page that still exist.
  if (!isUndo && monitorIds.length < chosen.length)
    return refuse(400, "monitor", "One of these addresses is not checked in this project.");
  if (monitorIds.length === 0)
    return refuse(
      400,
      "monitor",
      isUndo ? "None of its addresses is checked any more." : "Choose at least one address.",
    );
  if (monitorIds.length > STATUS_PAGE_LIMITS.monitors)
    return refuse(400, "monitor", `A page shows at most ${STATUS_PAGE_LIMITS.monitors} addresses.`);
  const page: StatusPage = {
    projectId: project.id,
    slug: read.fields.slug ?? randomBytes(12).toString("hex"),
    title: read.fields.title,
    monitorIds,
    showsAddresses: read.fields.showsAddresses !== undefined,
  };
  const saved = isUndo
    ? await state.statusPages.restoreStatusPage(scope, page)
    : await state.statusPages.saveStatusPage(scope, page);
  switch (saved) {
    case "exists":
      return refuse(409, "slug", "There is nothing to undo: the project has a page.");
    case "taken":
      return refuse(409, "slug", "Another page has this address. Choose another one.");
    case "not-found":
      return { ok: false, status: 404, field: "intent", message: "There is no such project." };
    case "saved": {
      const message = isUndo
        ? "The page is back at its address."
        : "Saved. Strangers may see the page as it was half a minute ago.";
      return { ok: true, message, deleted: null };
    }
  }
}
