import type { Scope } from "../../domain/scope.ts";
import type { StatusPage } from "../../domain/uptime/status-page.ts";

/** Public pages of uptime monitors: a project has one at most. */
export interface StatusPageStore {
  /** Null: the project has none, or is not of the scope. */
  getStatusPage(scope: Scope, projectId: number): Promise<StatusPage | null>;
  /** Makes or changes the page of its project. `taken`: another project's page has the slug. */
  saveStatusPage(scope: Scope, page: StatusPage): Promise<"saved" | "taken" | "not-found">;
  /** Restores a deleted page. `exists`: the project has another page now, which is left alone. */
  restoreStatusPage(scope: Scope, page: StatusPage): Promise<"saved" | "exists" | "taken" | "not-found">;
  /** Deletes the page, and returns it. Null: there was none. */
  deleteStatusPage(scope: Scope, projectId: number): Promise<StatusPage | null>;
}

/** Pages as strangers ask for them. */
export interface StatusPageLinks {
  findStatusPage(slug: string): Promise<StatusPage | null>;
}
