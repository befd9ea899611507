import type { HealthGoal } from "../../domain/releases/release-health.ts";
import type { Scope } from "../../domain/scope.ts";

/** What projects want of their releases. */
export interface HealthStore {
  /** By project of the scope. One that set none has `DEFAULT_HEALTH_GOAL`. */
  listGoals(scope: Scope): Promise<ReadonlyMap<number, HealthGoal>>;
  /** Null: the default again. False: there is no such project. */
  setGoal(scope: Scope, projectId: number, goal: HealthGoal | null): Promise<boolean>;
}
