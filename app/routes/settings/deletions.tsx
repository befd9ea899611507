import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import type { UserField } from "../../domain/named-user.ts";
import {
  deleteUserData,
  findUserDataScope,
  previewUserData,
} from "../../features/deletions/delete-user-data.server.ts";
import { DeletionList } from "../../features/deletions/deletion-list.tsx";
import { isUnderWay } from "../../features/deletions/deletion-words.ts";
import { listDeletions } from "../../features/deletions/list-deletions.server.ts";
import { readNamedUser } from "../../features/deletions/read-named-user.server.ts";
import { UserDataPanel, type UserDataQuestion } from "../../features/deletions/user-data-panel.tsx";
import { IfMay } from "../../features/frame/use-may.tsx";
import { useReadingAgain } from "../../features/jobs/use-reading-again.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/deletions.ts";

/** The pause between two questions about the progress of a deletion. */
const PAUSE_MS = 2_000;

export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const [deletions, projects, question] = await Promise.all([
    listDeletions(workspace),
    workspace.state.projects.listProjects(workspace.scope),
    askForUser(workspace, url.searchParams),
  ]);
  const result = { deletions, question, projects: projects.map(({ slug, name }) => ({ slug, name })) };
  return question.error === null ? result : data(result, { status: 400 });
}

async function askForUser(
  workspace: Parameters<typeof previewUserData>[0],
  asked: URLSearchParams,
): Promise<UserDataQuestion> {
  const text = (name: string) => asked.get(name) ?? "";
  const field = text("field") === "" ? "email" : text("field");
  const question = {
    field: field as UserField,
    value: text("value").trim(),
    project: text("project"),
    error: null,
    preview: null,
    isBusy: false,
  };
  if (question.value === "") return { ...question, field: readField(field) };
  const read = readNamedUser(field, question.value);
  if (!read.ok) return { ...question, field: readField(field), error: read };
  const scope = await findUserDataScope(workspace, question.project);
  if (scope === null) throw data("There is no such project.", { status: 404 });
  const preview = await previewUserData(workspace, { user: read.user, scope });
  return { ...question, preview, isBusy: preview === null };
}

function readField(field: string): UserField {
  return field === "id" || field === "address" ? field : "email";
}

export async function action({ context, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? "");
  if (text("intent") !== "delete-user")
    throw data(`intent: there is no "${text("intent").slice(0, 40)}" here.`, { status: 400 });
  const read = readNamedUser(text("field"), text("value"));
  if (!read.ok) throw data(read.message, { status: 400 });
  const scope = await findUserDataScope(workspace, text("project"));
  if (scope === null) throw data("There is no such project.", { status: 404 });
  await deleteUserData(workspace, { user: read.user, scope, now: Date.now() });
  return redirect("/settings/deletions");
}

export default function DeletionsPage({ loaderData }: Route.ComponentProps) {
  const { deletions, question, projects } = loaderData;
  useReadingAgain(deletions.some(isUnderWay), PAUSE_MS);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Deletions"
        trail={[{ label: "Settings", to: "/settings" }]}
        description="Deleted data is gone from every page at once. A background job erases it from the payload files within a day. The event database deletes its rows, and writes over their bytes only when it uses the room again. Backups keep it until you delete them."
      />
      <IfMay right="event:admin">
        <UserDataPanel question={question} projects={projects} />
      </IfMay>
      <DeletionList deletions={deletions} />
    </div>
  );
}

export function meta() {
  return [{ title: "Deletions · Culprit" }];
}

export const handle = { section: "settings" };
