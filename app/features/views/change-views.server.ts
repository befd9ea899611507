import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import {
  MAX_VIEW_NAME,
  MAX_VIEW_QUERY,
  MAX_VIEWS,
  type SavedView,
  toViewPath,
  VIEWED_LISTS,
} from "../../domain/saved-view.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { keepDefaults, takeDefaults } from "./deleted-defaults.server.ts";
import { findViewProjects } from "./find-view-projects.ts";
import { toViewQuery } from "./view-lists.server.ts";

const name = z.string().trim().min(1).max(MAX_VIEW_NAME);
const viewForm = z.object({
  list: z.enum(VIEWED_LISTS),
  name,
  query: z.string().max(MAX_VIEW_QUERY).default(""),
  isShared: z.string().optional(),
  isDefault: z.string().optional(),
  deleted: z.coerce.number().int().optional(),
  place: z.coerce.number().int().min(0).max(1_000_000).optional(),
});
const nameForm = z.object({ name });

export type ViewResult =
  /** `path`: the address of a view that was made. `deleted`: the view that an undo would restore. */
  | { ok: true; message: string; path?: string; deleted?: SavedView }
  | { ok: false; status: 400 | 404 | 409; message: string };

const GONE: ViewResult = { ok: false, status: 404, message: "This view does not exist any more." };
const NAME_TAKEN: ViewResult = { ok: false, status: 409, message: "This list has a view of that name already." };
const TOO_MANY: ViewResult = {
  ok: false,
  status: 409,
  message: `You have ${MAX_VIEWS} views, and no more are kept. Delete one first.`,
};

/** Does what the `intent` of the pressed button asks. */
export async function changeViews(workspace: Workspace, form: FormData): Promise<ViewResult> {
  const { state, scope, user } = workspace;
  const pressed = readIntent(form, [
    "save",
    "restore",
    "rename",
    "share",
    "unshare",
    "default",
    "no-default",
    "up",
    "down",
    "delete",
  ]);
  if (!pressed.ok) return pressed;
  if (user === null) return GONE;
  if (pressed.intent === "save" || pressed.intent === "restore") {
    const saved = await saveView(workspace, user.id, form);
    // After an undo the person stays on the page.
    return saved.ok && pressed.intent === "restore" ? { ok: true, message: saved.message } : saved;
  }
  const views = await state.savedViews.listViews(scope, user.id);
  const view = views.find(({ id }) => id === Number(form.get("view")));
  if (!view) return GONE;
  const say = (isDone: boolean, message: string): ViewResult => (isDone ? { ok: true, message } : GONE);
  const change = (fields: Partial<Pick<SavedView, "name" | "isShared">>) =>
    state.savedViews.changeView(scope, user.id, view.id, fields);
  switch (pressed.intent) {
    case "rename": {
      const read = readForm(nameForm, form);
      if (!read.ok) return { ok: false, status: 400, message: `Name: ${read.message}` };
      const changed = await change({ name: read.fields.name });
      return changed === "name-taken"
        ? NAME_TAKEN
        : say(changed === "changed", `The view is called ${read.fields.name} now.`);
    }
    case "share":
      return say(
        (await change({ isShared: true })) === "changed",
        `${view.name} is shared with everybody who sees its projects.`,
      );
    case "unshare":
      return say((await change({ isShared: false })) === "changed", `Only you see ${view.name} now.`);
    case "default":
      return say(
        await state.savedViews.setDefaultView(scope, user.id, view.list, view.id),
        `Your list begins with ${view.name} now.`,
      );
    case "no-default":
      return say(
        await state.savedViews.setDefaultView(scope, user.id, view.list, null),
        "Your list begins as usual now.",
      );
    case "up":
    case "down":
      await state.savedViews.moveView(scope, user.id, view.id, pressed.intent === "up" ? -1 : 1);
      return { ok: true, message: `${view.name} moved ${pressed.intent}.` };
    case "delete": {
      const deleted = await state.savedViews.deleteView(scope, user.id, view.id);
      if (deleted === null) return GONE;
      keepDefaults(user.id, view.id, deleted.defaultOf);
      return { ok: true, message: `${view.name} deleted.`, deleted: view };
    }
  }
}

async function saveView({ state, scope }: Workspace, userId: number, form: FormData): Promise<ViewResult> {
  const read = readForm(viewForm, form);
  if (!read.ok) return { ok: false, status: 400, message: `${read.field}: ${read.message}` };
  const { list, name, isShared, isDefault, deleted, place } = read.fields;
  const query = toViewQuery(list, new URLSearchParams(read.fields.query));
  const named = findViewProjects(new URLSearchParams(query));
  const projects = await state.projects.listProjects(scope);
  const unknown = named.find((slug) => projects.every((project) => project.slug !== slug));
  if (unknown !== undefined) return { ok: false, status: 400, message: `There is no project “${unknown}”.` };
  const projectIds = projects.filter(({ slug }) => named.includes(slug)).map(({ id }) => id);
  const made = await state.savedViews.createView(scope, userId, {
    list,
    name,
    query,
    isShared: isShared !== undefined,
    projectIds,
    ...(place !== undefined && { place }),
  });
  if (!made.ok) return made.reason === "too-many" ? TOO_MANY : NAME_TAKEN;
  if (isDefault !== undefined) await state.savedViews.setDefaultView(scope, userId, list, made.id);
  if (deleted !== undefined)
    await state.savedViews.restoreDefaults(scope, userId, made.id, takeDefaults(userId, deleted));
  return { ok: true, message: `${name} saved.`, path: toViewPath({ list, query }) };
}
