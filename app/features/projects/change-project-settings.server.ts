import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { toSdkFeatures } from "../../domain/sdk-feature.ts";
import { MAX_APDEX_MS } from "../../domain/spans/apdex.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { createKey, MAX_KEYS } from "./create-key.server.ts";
import { parseRateLimitForm } from "./key-form.ts";
import { parseSourceLinks } from "./parse-source-links.ts";
import { parseAllowedOrigins, parseProjectForm, sayTaken } from "./project-form.ts";
import { readHealthGoal } from "./read-health-goal.ts";
import { readServiceRules, splitServiceLines } from "./service-rules.server.ts";
import { changeRows, readDraft, readRowIntent, type SourceLinkDraft } from "./source-link-draft.ts";

const keyForm = z.object({ label: text(64, "must not be empty: give the key a name") });

const THRESHOLD = `must be a whole number of milliseconds from 1 to ${MAX_APDEX_MS.toLocaleString("en")}`;
const apdexForm = z.object({
  apdex: z.coerce.number(THRESHOLD).int(THRESHOLD).min(1, THRESHOLD).max(MAX_APDEX_MS, THRESHOLD),
});

/**
 * The answer to a settings form. `field` says where on the page the message belongs. Answers to key forms name their key. `message`
 * null: nothing was saved, and the page shows the form with the values of the draft.
 */
export type SettingsResult =
  | { ok: true; message: string; slug: string }
  | { ok: true; message: null; slug: string; draft: SourceLinkDraft }
  | {
      ok: false;
      status: 400 | 404 | 409;
      field: string;
      keyId?: number;
      message: string;
      /** The fields for links to the code, as they were typed. */
      draft?: SourceLinkDraft;
    };

/** Intents of the buttons beside a key. The form names the key. */
const KEY_INTENTS = ["label-key", "toggle-key", "limit-key", "loader-key", "delete-key"] as const;

/**
 * Changes settings. The `intent` of the pressed button is one of `KEY_INTENTS`, `general`, `origins`, `apdex`, `health`,
 * `services`, `source-links`, `try-source-links` or one of its row buttons, `fetch-source-maps`, `create-key`.
 */
export async function changeProjectSettings(
  workspace: Workspace,
  project: Project,
  form: FormData,
): Promise<SettingsResult> {
  const result = await change(workspace, project, form);
  if (result.ok && result.message !== null) await workspace.reloadKeys();
  return result;
}

async function change(workspace: Workspace, project: Project, form: FormData): Promise<SettingsResult> {
  const done = (message: string, slug = project.slug): SettingsResult => ({ ok: true, message, slug });
  const intent = form.get("intent");
  if (intent === "general") return changeGeneral(workspace, project, form);
  if (intent === "origins") {
    const read = parseAllowedOrigins(form);
    if (!read.ok) return read;
    await workspace.state.projects.changeProject(workspace.scope, project.id, { allowedOrigins: read.fields.origins });
    return done("Allowed origins saved.");
  }
  if (intent === "apdex") {
    const read = readForm(apdexForm, form);
    if (!read.ok) return { ok: false, status: 400, field: "apdex", message: read.message };
    await workspace.state.projects.changeProject(workspace.scope, project.id, { apdexMs: read.fields.apdex });
    return done("Apdex threshold saved.");
  }
  if (intent === "health") {
    const goal = readHealthGoal(form);
    if (!goal.ok) return { ok: false, status: 400, field: goal.field, message: goal.message };
    await workspace.state.health.setGoal(workspace.scope, project.id, goal.goal);
    return done("Target of release health saved.");
  }
  if (intent === "services") {
    const read = await readServiceRules(workspace, splitServiceLines(form));
    if (!read.ok) return { ok: false, status: 400, field: "services", message: read.message };
    await workspace.state.projects.changeProject(workspace.scope, project.id, { serviceRules: read.rules });
    return done("Services saved.");
  }
  if (intent === "source-links") {
    const draft = readDraft(form);
    const parsed = parseSourceLinks(draft);
    if (!parsed.ok) return { ok: false, status: 400, field: parsed.field, message: parsed.error, draft };
    await workspace.state.projects.changeProject(workspace.scope, project.id, { sourceLinks: parsed.links });
    return done(parsed.links ? "Links to the code saved." : "Links to the code removed.");
  }
  const rowChange = typeof intent === "string" ? readRowIntent(intent) : null;
  if (rowChange || intent === "try-source-links") {
    const draft = readDraft(form);
    return {
      ok: true,
      message: null,
      slug: project.slug,
      draft: rowChange ? changeRows(draft, rowChange) : draft,
    };
  }
  if (intent === "fetch-source-maps") {
    const fetchesSourceMaps = form.get("fetch") === "on";
    await workspace.state.projects.changeProject(workspace.scope, project.id, { fetchesSourceMaps });
    return done(
      fetchesSourceMaps
        ? "Source maps that nobody uploaded are fetched from now on."
        : "Source maps are not fetched any more.",
    );
  }
  if (intent === "create-key") {
    const read = readForm(keyForm.partial(), form);
    if (!read.ok) return { ...read, field: "create-key" };
    const { label = "Unnamed" } = read.fields;
    const created = await createKey(workspace, project, { label, now: Date.now() });
    if (created.ok) return done(`Key “${label}” made.`);
    return created.reason === "too-many"
      ? { ok: false, status: 409, field: "create-key", message: `A project has at most ${MAX_KEYS} keys.` }
      : { ok: false, status: 404, field: "create-key", message: "This project does not exist any more." };
  }

  const pressed = readIntent(form, KEY_INTENTS);
  if (!pressed.ok) return { ...pressed, field: "general" };
  const keyId = Number(form.get("key"));
  const key = (await workspace.state.projects.listKeys(workspace.scope, project.id)).find(({ id }) => id === keyId);
  if (!key) return { ok: false, status: 404, field: "keys", message: "This key does not exist any more." };
  switch (pressed.intent) {
    case "label-key": {
      const read = readForm(keyForm, form);
      if (!read.ok) return { ...read, keyId };
      await workspace.state.projects.changeKey(workspace.scope, keyId, read.fields);
      return done(`Key renamed to “${read.fields.label}”.`);
    }
    case "toggle-key":
      await workspace.state.projects.changeKey(workspace.scope, keyId, { isEnabled: !key.isEnabled });
      return done(
        key.isEnabled ? `Key “${key.label}” disabled: what it sends is refused.` : `Key “${key.label}” enabled.`,
      );
    case "limit-key": {
      const parsed = parseRateLimitForm(form);
      if (!parsed.ok) return { ok: false, status: 400, field: "limit", keyId, message: parsed.error };
      await workspace.state.projects.changeKey(workspace.scope, keyId, { rateLimit: parsed.rateLimit });
      return done(parsed.rateLimit ? `Limit of key “${key.label}” saved.` : `Key “${key.label}” has no limit.`);
    }
    case "loader-key": {
      const sdkFeatures = toSdkFeatures(form.getAll("feature").map(String));
      await workspace.state.projects.changeKey(workspace.scope, keyId, { sdkFeatures });
      return done(`The loader script of key “${key.label}” brings ${["errors", ...sdkFeatures].join(", ")}.`);
    }
    case "delete-key":
      await workspace.state.projects.deleteKey(workspace.scope, keyId);
      return done(`Key “${key.label}” deleted.`);
  }
}

async function changeGeneral(workspace: Workspace, project: Project, form: FormData): Promise<SettingsResult> {
  const read = parseProjectForm(form);
  if (!read.ok) return read;
  const changed = await workspace.state.projects.changeProject(workspace.scope, project.id, read.fields);
  if (changed.ok) return { ok: true, message: "Saved.", slug: changed.project.slug };
  return changed.reason === "slug-taken"
    ? { ok: false, status: 409, field: "slug", message: sayTaken(read.fields.slug) }
    : { ok: false, status: 404, field: "name", message: "This project does not exist any more." };
}
