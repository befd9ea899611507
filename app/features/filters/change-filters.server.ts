import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { BuiltInFilter, ListFilter } from "../../domain/filters/filter-reason.ts";
import { FILTER_LIMITS, type FilterSettings } from "../../domain/filters/filter-settings.ts";
import { toLegacyBrowsers } from "../../domain/filters/legacy-browsers.ts";
import { readFilterSearch } from "../../domain/filters/read-filter-search.ts";
import type { Project } from "../../domain/project.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { checkAddresses, checkPatterns, splitLines } from "./check-filters.ts";

export type FilterResult =
  | { ok: true; message: string }
  | { ok: false; status: 400 | 404; field: string; message: string };

const INTENTS = [
  "built-in",
  "lists",
  "add-condition",
  "enable-condition",
  "disable-condition",
  "delete-condition",
] as const;

const conditionForm = z.object({
  name: text(FILTER_LIMITS.nameChars, "must not be empty: say what the filter is for"),
  search: text(FILTER_LIMITS.searchChars, "must not be empty"),
});

/** Changes filters as the pressed button says: one of `INTENTS`. */
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
    default:
      return changeCondition(workspace, project, { id: Number(form.get("condition")), change: pressed.intent });
  }
}

/** Switches a filter that every project has. Legacy browsers are named one by one. */
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

/** Lists that are absent stay. `field` of a refusal names the list. */
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
  if (conditions.length >= FILTER_LIMITS.conditions)
    return {
      ok: false,
      status: 400,
      field: "search",
      message: `A project has at most ${FILTER_LIMITS.conditions} filters of its own.`,
    };
  const change = { conditions: [...conditions, { id, name, search, isEnabled: true }], nextConditionId: id + 1 };
  return save(workspace, project, change, `Filter “${name}” added.`);
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
    return save(workspace, project, { conditions }, `Filter “${found.name}” deleted.`);
  }
  const isEnabled = change === "enable-condition";
  const conditions = others.map((condition) => (condition.id === id ? { ...condition, isEnabled } : condition));
  return save(workspace, project, { conditions }, `Filter “${found.name}” is ${isEnabled ? "on" : "off"}.`);
}

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
