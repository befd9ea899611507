import type { FilteredExample } from "../../domain/filters/filtered-example.ts";
import type { ProjectRules, RuleKind } from "../../domain/project-rules.ts";
import type { Scope } from "../../domain/scope.ts";

/** The rules of all projects, for the server itself. */
export interface RuleIndex {
  /** The rules of the projects that have any. */
  listRules(): Promise<ReadonlyMap<number, ProjectRules>>;
  /** Grows whenever a rule changes, and with other changes of projects: cheap to ask. */
  version(): Promise<number>;
}

/** The fields of an example in lists. */
export type ListedExample = Omit<FilteredExample, "payload">;

/** The filters of projects, and examples of filtered events. */
export interface RuleStore {
  /** Null: there is no such project. */
  getRules(scope: Scope, projectId: number): Promise<ProjectRules | null>;
  /** Takes the place of what that part was. False: there is no such project. The digest takes it with its next batch. */
  saveRules<Kind extends RuleKind>(
    scope: Scope,
    projectId: number,
    kind: Kind,
    rules: ProjectRules[Kind],
  ): Promise<boolean>;
  /** Examples of events received since then, by reason. */
  listExamples(scope: Scope, query: { projectId: number; since: number }): Promise<ListedExample[]>;
  getExample(
    scope: Scope,
    query: { projectId: number; reason: string; since: number },
  ): Promise<FilteredExample | null>;
}
