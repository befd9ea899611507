import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { MAX_REPOSITORIES } from "../../stores/state/repository-store.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { placeFields, repositoryName } from "./repository-fields.ts";

const placeForm = z.object(placeFields);
const newRepositoryForm = z.object({ name: repositoryName, ...placeFields });

export type RepositoryResult =
  | { ok: true; message: string }
  /** `repositoryId`: the error belongs to the form of this repository. Absent: to that of a new one, or to the whole list. */
  | {
      ok: false;
      status: 400 | 404 | 409;
      field: "name" | "provider" | "url" | "list";
      repositoryId?: number;
      message: string;
    };

const GONE: RepositoryResult = {
  ok: false,
  status: 404,
  field: "list",
  message: "This repository does not exist any more.",
};

/** Makes the change that the `intent` of the pressed button names. */
export async function changeRepositories(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<RepositoryResult> {
  const { state } = workspace;
  const pressed = readIntent(form, ["create", "place", "disable", "enable", "delete"]);
  if (!pressed.ok) return { ...pressed, field: "list" };
  const { intent } = pressed;
  if (intent === "create") return createRepository(workspace, form, now);
  const id = Number(form.get("repository"));
  const repository = Number.isSafeInteger(id) ? await state.repositories.getRepository(id) : null;
  if (!repository) return GONE;
  switch (intent) {
    case "place": {
      const read = readForm(placeForm, form);
      if (!read.ok) return { ...read, repositoryId: id };
      const { provider = null, url = null } = read.fields;
      const changed = await state.repositories.changeRepository(id, { provider, url });
      return changed.ok ? { ok: true, message: `${repository.name} saved.` } : GONE;
    }
    case "disable":
    case "enable": {
      const status = intent === "enable" ? "active" : "disabled";
      const changed = await state.repositories.changeRepository(id, { status });
      return changed.ok ? { ok: true, message: `${repository.name} ${intent}d.` } : GONE;
    }
    case "delete":
      return (await state.repositories.deleteRepository(id))
        ? { ok: true, message: `${repository.name} deleted.` }
        : GONE;
  }
}

async function createRepository(workspace: Workspace, form: FormData, now: number): Promise<RepositoryResult> {
  const { state } = workspace;
  const read = readForm(newRepositoryForm, form);
  if (!read.ok) return read;
  const { name, provider = null, url = null } = read.fields;
  const created = await state.repositories.createRepository({ name, provider, url, at: now });
  if (created.ok) return { ok: true, message: `${created.repository.name} added.` };
  return created.reason === "name-taken"
    ? { ok: false, status: 409, field: "name", message: `There is a repository ${name} already.` }
    : {
        ok: false,
        status: 409,
        field: "list",
        message: `There are ${MAX_REPOSITORIES} repositories, which is the limit. Delete some first.`,
      };
}
