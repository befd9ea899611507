import type { Project, ProjectKey } from "../../domain/project.ts";

/** All projects and keys, for the server itself: ingest, digest, monitoring and jobs. Code for people reads them through a scope. */
export interface DirectoryStore {
  /** By id. */
  listProjects(): Promise<Project[]>;
  /** Ascending. */
  listProjectIds(): Promise<number[]>;
  getProject(projectId: number): Promise<Project | null>;
  getProjectBySlug(slug: string): Promise<Project | null>;
  listKeys(): Promise<ProjectKey[]>;
  /** Grows whenever a project, a key or a rule changes, whichever process or thread changed it: cheap to ask. */
  version(): Promise<number>;
}
