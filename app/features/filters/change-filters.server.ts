import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { BuiltInFilter, ListFilter } from "../../domain/filters/filter-reason.ts";
import { FILTER_LIMITS, type FilterCondition, type FilterSettings } from "../../domain/filters/filter-settings.ts";
import { toLegacyBrowsers } from "../../domain/filters/legacy-browsers.ts";
import { readFilterSearch } from "../../domain/filters/read-filter-search.ts";
import type { Project } from "../../domain/project.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { checkAddresses, checkPatterns, splitLines } from "./check-filters.ts";

export type FilterResult =
  | {
      ok: true;
      message: string;
      /** The condition that was deleted, which an undo restores. */
      deleted?: FilterCondition;
    }
  | { ok: false; status: 400 | 404; field: string; message: string };

const INTENTS = [
  "built-in",
  "lists",
  "add-condition",
  "enable-condition",
  "disable-condition",
  "delete-condition",
  "restore-condition",
] as const;

/** The deleted filter, as the form of its undo sends it. */
const deletedForm = z.object({
  condition: z.coerce.number().int().positive(),
  name: text(FILTER_LIMITS.nameChars),
  search: text(FILTER_LIMITS.searchChars),
  isEnabled: z.enum(["true", "false"]),
});
const conditionForm = z.object({
  name: text(FILTER_LIMITS.nameChars, "must not be empty: say what the filter is for"),
  search: text(FILTER_LIMITS.searchChars, "must not be empty"),
});

/** Changes filters as the pressed button asks. The intents are in `INTENTS`. */
export async function changeFiltersByForm(
  workspace: Workspace,
  project: Pick<Project, "id">,
  form: FormData,
): Promise<FilterResult> {
  const pressed = readIntent(form, INTENTS);
  if (!pressed.ok) return pressed;
  switch (pressed.intent) {
    case "built-in":
      return save(workspace, project, {
        browserExtensions: form.get("browser-extensions") === "on",
        webCrawlers: form.get("web-crawlers") === "on",
        localhost: form.get("localhost") === "on",
        legacyBrowsers: toLegacyBrowsers(form.getAll("legacy-browser").map(String)),
      });
    case "lists": {
      const lines = (name: string) => splitLines(String(form.get(name) ?? ""));
      return changeFilterLists(workspace, project, {
        "release-version": lines("releases"),
        "error-message": lines("messages"),
        "ip-address": lines("addresses"),
      });
    }
    case "add-condition": {
      const read = readForm(conditionForm, form);
      if (!read.ok) return read;
      return addCondition(workspace, project, read.fields);
    }
    case "restore-condition": {
      const read = readForm(deletedForm, form);
      if (!read.ok) return read;
      const { condition: id, isEnabled, ...rest } = read.fields;
      return restoreCondition(workspace, project, { id, isEnabled: isEnabled === "true", ...rest });
    }
    default:
      return changeCondition(workspace, project, { id: Number(form.get("condition")), change: pressed.intent });
  }
}

/** Switches a filter that every project has on or off. Legacy browsers are named one by one. */
export async function changeBuiltInFilter(
  workspace: Workspace,
  project: Pick<Project, "id">,
  filter: BuiltInFilter,
  value: boolean | readonly string[],
): Promise<FilterResult> {
  switch (filter) {
    case "browser-extensions":
      return save(workspace, project, { browserExtensions: value !== false });
    case "web-crawlers":
      return save(workspace, project, { webCrawlers: value !== false });
    case "localhost":
      return save(workspace, project, { localhost: value !== false });
    case "legacy-browsers":
      return save(workspace, project, { legacyBrowsers: toLegacyBrowsers(Array.isArray(value) ? value : []) });
  }
}

/** Changes the lists that are given; the others stay. The `field` of a refusal names the list. */
export async function changeFilterLists(
  workspace: Workspace,
  project: Pick<Project, "id">,
  lists: Partial<Record<ListFilter, readonly string[]>>,
): Promise<FilterResult> {
  const change: Partial<FilterSettings> = {};
  const { "release-version": releases, "error-message": messages, "ip-address": addresses } = lists;
  if (releases !== undefined) {
    const checked = checkPatterns(releases, "patterns of releases");
    if (!checked.ok) return { ...checked, status: 400, field: "release-version" };
    change.releases = checked.list;
  }
  if (messages !== undefined) {
    const checked = checkPatterns(messages, "patterns of messages");
    if (!checked.ok) return { ...checked, status: 400, field: "error-message" };
    change.errorMessages = checked.list;
  }
  if (addresses !== undefined) {
    const checked = checkAddresses(addresses);
    if (!checked.ok) return { ...checked, status: 400, field: "ip-address" };
    change.ipAddresses = checked.list;
  }
  return save(workspace, project, change);
}

async function addCondition(
  workspace: Workspace,
  project: Pick<Project, "id">,
  { name, search }: { name: string; search: string },
): Promise<FilterResult> {
  const read = readFilterSearch(search);
  if (!read.ok) return { ok: false, status: 400, field: "search", message: read.message };
  const rules = await workspace.state.rules.getRules(workspace.scope, project.id);
  if (rules === null) return GONE;
  const { conditions, nextConditionId: id } = rules.filters;
  if (conditions.length >= FILTER_LIMITS.conditions) return TOO_MANY;
  // The ledger counts a filter by its name.
  if (conditions.some((each) => each.name === name))
    return { ok: false, status: 400, field: "name", message: "The project has a filter of this name already." };
  const change = { conditions: [...conditions, { id, name, search, isEnabled: true }], nextConditionId: id + 1 };
  return save(workspace, project, change, `Filter “${name}” added.`);
}

/** Restores a deleted filter, so that its counts continue. */
async function restoreCondition(
  workspace: Workspace,
  project: Pick<Project, "id">,
  deleted: FilterCondition,
): Promise<FilterResult> {
  const read = readFilterSearch(deleted.search);
  if (!read.ok) return { ok: false, status: 400, field: "condition", message: read.message };
  const rules = await workspace.state.rules.getRules(workspace.scope, project.id);
  if (rules === null) return GONE;
  const { conditions, nextConditionId } = rules.filters;
  if (deleted.id >= nextConditionId || conditions.some(({ id }) => id === deleted.id))
    return { ok: false, status: 400, field: "condition", message: "There is nothing to undo." };
  if (conditions.length >= FILTER_LIMITS.conditions) return { ...TOO_MANY, field: "condition" };
  const change = { conditions: [...conditions, deleted].toSorted((one, other) => one.id - other.id) };
  return save(workspace, project, change, `Filter “${deleted.name}” is back.`);
}

async function changeCondition(
  workspace: Workspace,
  project: Pick<Project, "id">,
  { id, change }: { id: number; change: string },
): Promise<FilterResult> {
  const rules = await workspace.state.rules.getRules(workspace.scope, project.id);
  const found = rules?.filters.conditions.find((condition) => condition.id === id);
  if (!rules || !found)
    return { ok: false, status: 404, field: "condition", message: "This filter does not exist any more." };
  const others = rules.filters.conditions;
  if (change === "delete-condition") {
    const conditions = others.filter((condition) => condition.id !== id);
    const saved = await save(workspace, project, { conditions }, `Filter “${found.name}” deleted.`);
    return saved.ok ? { ...saved, deleted: found } : saved;
  }
  const isEnabled = change === "enable-condition";
  const conditions = others.map((condition) => (condition.id === id ? { ...condition, isEnabled } : condition));
  return save(workspace, project, { conditions }, `Filter “${found.name}” is ${isEnabled ? "on" : "off"}.`);
}

const TOO_MANY: FilterResult & { ok: false } = {
  ok: false,
  status: 400,
  field: "search",
  message: `A project has at most ${FILTER_LIMITS.conditions} filters of its own.`,
};
const GONE = { ok: false, status: 404, field: "intent", message: "This project does not exist any more." } as const;

async function save(
  { state, scope }: Workspace,
  { id }: Pick<Project, "id">,
  change: Partial<FilterSettings>,
  message = "Filters saved. They hold for events that arrive from now on.",
): Promise<FilterResult> {
  const rules = await state.rules.getRules(scope, id);
  if (rules === null) return GONE;
  await state.rules.saveRules(scope, id, "filters", { ...rules.filters, ...change });
  return { ok: true, message };
}
