import type { HealthGoal } from "../../domain/releases/release-health.ts";
import type { Scope } from "../../domain/scope.ts";

/** The goals that projects have for their releases. */
export interface HealthStore {
  /** Goals by project of the scope. A project that set none has `DEFAULT_HEALTH_GOAL`. */
  listGoals(scope: Scope): Promise<ReadonlyMap<number, HealthGoal>>;
  /** `goal` null: the default again. False: there is no such project. */
  setGoal(scope: Scope, projectId: number, goal: HealthGoal | null): Promise<boolean>;
}
