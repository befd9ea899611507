import { randomBytes } from "node:crypto";
import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { parseRateLimitForm } from "./key-form.ts";
import { parseSourceLinks } from "./parse-source-links.ts";
import { parseAllowedOrigins, parseProjectForm } from "./project-form.ts";
import { changeRows, readDraft, readRowIntent, type SourceLinkDraft } from "./source-link-draft.ts";

const MAX_KEYS = 100;
const MAX_LABEL_LENGTH = 64;

/**
 * What became of a settings form. `field` says where on the page the message belongs; key forms name their key. `message`
 * null: nothing was saved, and the form is to be shown as the draft says.
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
      /** What was typed, of links to the code. */
      draft?: SourceLinkDraft;
    };

/** Does what the pressed button's `intent` says: `general`, `origins`, `source-links`, `try-source-links` or one of its rows, `fetch-source-maps`, `create-key`, `label-key`, `toggle-key`, `limit-key`, `delete-key`. */
export async function changeProjectSettings(engine: Engine, project: Project, form: FormData): Promise<SettingsResult> {
  const result = await change(engine, project, form);
  if (result.ok && result.message !== null) await engine.reloadKeys();
  return result;
}

async function change(engine: Engine, project: Project, form: FormData): Promise<SettingsResult> {
  const done = (message: string, slug = project.slug): SettingsResult => ({ ok: true, message, slug });
  const intent = form.get("intent");
  if (intent === "general") return changeGeneral(engine, project, form);
  if (intent === "origins") {
    const parsed = parseAllowedOrigins(String(form.get("origins") ?? ""));
    if (!parsed.ok) return { ok: false, status: 400, field: "origins", message: parsed.error };
    await engine.state.projects.changeProject(project.id, { allowedOrigins: parsed.origins });
    return done("Allowed origins saved.");
  }
  if (intent === "source-links") {
    const draft = readDraft(form);
    const parsed = parseSourceLinks(draft);
    if (!parsed.ok) return { ok: false, status: 400, field: parsed.field, message: parsed.error, draft };
    await engine.state.projects.changeProject(project.id, { sourceLinks: parsed.links });
    return done(parsed.links ? "Links to the code saved." : "Links to the code taken away.");
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
    await engine.state.projects.changeProject(project.id, { fetchesSourceMaps });
    return done(
      fetchesSourceMaps
        ? "Source maps that nobody uploaded are fetched from now on."
        : "Source maps are not fetched any more.",
    );
  }
  if (intent === "create-key") {
    const keys = await engine.state.projects.listKeys(project.id);
    if (keys.length >= MAX_KEYS)
      return { ok: false, status: 409, field: "create-key", message: `A project has at most ${MAX_KEYS} keys.` };
    const label = readLabel(form) ?? "Unnamed";
    await engine.state.projects.createKey({
      projectId: project.id,
      label,
      publicKey: randomBytes(16).toString("hex"),
      at: Date.now(),
    });
    return done(`Key “${label}” made.`);
  }

  const keyId = Number(form.get("key"));
  const key = (await engine.state.projects.listKeys(project.id)).find(({ id }) => id === keyId);
  if (!key) return { ok: false, status: 404, field: "keys", message: "This key does not exist any more." };
  switch (intent) {
    case "label-key": {
      const label = readLabel(form);
      if (!label) return { ok: false, status: 400, field: "label", keyId, message: "Give the key a name." };
      await engine.state.projects.changeKey(keyId, { label });
      return done(`Key renamed to “${label}”.`);
    }
    case "toggle-key":
      await engine.state.projects.changeKey(keyId, { isEnabled: !key.isEnabled });
      return done(
        key.isEnabled ? `Key “${key.label}” disabled: what it sends is refused.` : `Key “${key.label}” enabled.`,
      );
    case "limit-key": {
      const parsed = parseRateLimitForm(form);
      if (!parsed.ok) return { ok: false, status: 400, field: "limit", keyId, message: parsed.error };
      await engine.state.projects.changeKey(keyId, { rateLimit: parsed.rateLimit });
      return done(parsed.rateLimit ? `Limit of key “${key.label}” saved.` : `Key “${key.label}” has no limit.`);
    }
    case "delete-key":
      await engine.state.projects.deleteKey(keyId);
      return done(`Key “${key.label}” deleted.`);
    default:
      return { ok: false, status: 400, field: "general", message: "The form did not say what to do." };
  }
}

async function changeGeneral(engine: Engine, project: Project, form: FormData): Promise<SettingsResult> {
  const parsed = parseProjectForm(form);
  if (!parsed.ok) {
    const [field, message] = Object.entries(parsed.errors)[0] as [string, string];
    return { ok: false, status: 400, field, message };
  }
  const changed = await engine.state.projects.changeProject(project.id, parsed.form);
  if (changed.ok) return { ok: true, message: "Saved.", slug: changed.project.slug };
  return changed.reason === "slug-taken"
    ? {
        ok: false,
        status: 409,
        field: "slug",
        message: `There is a project with the slug “${parsed.form.slug}” already.`,
      }
    : { ok: false, status: 404, field: "name", message: "This project does not exist any more." };
}

function readLabel(form: FormData): string | null {
  return (
    String(form.get("label") ?? "")
      .trim()
      .slice(0, MAX_LABEL_LENGTH) || null
  );
}
