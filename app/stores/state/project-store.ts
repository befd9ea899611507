import type { Project, ProjectKey } from "../../domain/project.ts";

/** Projects with their settings and their keys. */
export interface ProjectStore {
  listProjects(): Promise<Project[]>;
  getProject(projectId: number): Promise<Project | null>;
  getProjectBySlug(slug: string): Promise<Project | null>;
  /** Comes with one key, labelled `Default`. */
  createProject(input: {
    slug: string;
    name: string;
    platform: string;
    at: number;
  }): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" }>;
  changeProject(
    projectId: number,
    change: Partial<
      Pick<Project, "name" | "slug" | "platform" | "allowedOrigins" | "sourceLinks" | "fetchesSourceMaps">
    >,
  ): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" | "not-found" }>;
  /** Of one project, or of all: what ingest keeps in memory. */
  listKeys(projectId: number | null): Promise<ProjectKey[]>;
  createKey(input: { projectId: number; label: string; publicKey: string; at: number }): Promise<ProjectKey>;
  changeKey(
    keyId: number,
    change: { label?: string; isEnabled?: boolean; rateLimit?: ProjectKey["rateLimit"] },
  ): Promise<ProjectKey | null>;
  deleteKey(keyId: number): Promise<boolean>;
  /** Grows whenever a project or key changes, whichever process or thread changed it: cheap to ask. */
  configurationVersion(): Promise<number>;
}
