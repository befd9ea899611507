import { data } from "react-router";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";

/** @throws a 404 page. */
export async function requireProject({ state, scope }: Workspace, slug: string): Promise<Project> {
  const project = await state.projects.getProjectBySlug(scope, slug);
  if (project === null) throw data("There is no such project.", { status: 404 });
  return project;
}

/** The pages of a project begin with this part of the breadcrumb. */
export function toProjectTrail({ slug, name }: Pick<Project, "slug" | "name">): Array<{ label: string; to: string }> {
  return [
    { label: "Projects", to: "/projects" },
    { label: name, to: `/projects/${slug}` },
  ];
}
