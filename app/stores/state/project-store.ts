import type { AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import type { Project, ProjectKey } from "../../domain/project.ts";
import type { Scope } from "../../domain/scope.ts";

/** Projects with their settings and their keys. A project outside of the scope is one that does not exist. */
export interface ProjectStore {
  /** The projects in the order of their names, as every page shows them. */
  listProjects(scope: Scope): Promise<Project[]>;
  getProject(scope: Scope, projectId: number): Promise<Project | null>;
  getProjectBySlug(scope: Scope, slug: string): Promise<Project | null>;
  /** Comes with one key, labelled `Default`. */
  createProject(input: {
    slug: string;
    name: string;
    platform: string;
    /** A team or a member who sees the project from the start. Absent or null: none. */
    seenBy?: { teamId: number } | { userId: number } | null;
    /** The alert rule that the project has from the start; none when absent or null. */
    draftRule?: ((project: Project) => AlertRuleDraft) | null;
    at: number;
  }): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" }>;
  changeProject(
    scope: Scope,
    projectId: number,
    change: Partial<
      Pick<
        Project,
        | "name"
        | "slug"
        | "platform"
        | "allowedOrigins"
        | "sourceLinks"
        | "fetchesSourceMaps"
        | "serviceRules"
        | "apdexMs"
      >
    >,
  ): Promise<{ ok: true; project: Project } | { ok: false; reason: "slug-taken" | "not-found" }>;
  listKeys(scope: Scope, projectId: number): Promise<ProjectKey[]>;
  /** Null when there is no such project. */
  createKey(
    scope: Scope,
    input: { projectId: number; label: string; publicKey: string; rateLimit?: ProjectKey["rateLimit"]; at: number },
  ): Promise<ProjectKey | null>;
  /** Null when there is no such key. */
  changeKey(
    scope: Scope,
    keyId: number,
    change: {
      label?: string;
      isEnabled?: boolean;
      rateLimit?: ProjectKey["rateLimit"];
      sdkFeatures?: ProjectKey["sdkFeatures"];
    },
  ): Promise<ProjectKey | null>;
  /** False when there is no such key. */
  deleteKey(scope: Scope, keyId: number): Promise<boolean>;
}
