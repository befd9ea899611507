import type { FilteredExample } from "../../domain/filters/filtered-example.ts";
import type { ProjectRules, RuleKind } from "../../domain/project-rules.ts";
import type { Scope } from "../../domain/scope.ts";

/** The rules of all projects, for the server itself. */
export interface RuleIndex {
  /** Of the projects that have any. */
  listRules(): Promise<ReadonlyMap<number, ProjectRules>>;
  /** Grows whenever a rule changes, and with other changes of projects: cheap to ask. */
  version(): Promise<number>;
}

/** What is listed of an example. */
export type ListedExample = Omit<FilteredExample, "payload">;

/** What projects take in, and examples of what their filters took. */
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
  /** Of events received since then, by reason. */
  listExamples(scope: Scope, query: { projectId: number; since: number }): Promise<ListedExample[]>;
  getExample(
    scope: Scope,
    query: { projectId: number; reason: string; since: number },
  ): Promise<FilteredExample | null>;
}
