import type { Workspace } from "../../access/workspace.ts";
import { mayManageRule } from "../../domain/alerts/alert-rule.ts";
import { findSilence, mayManageSilence } from "../../domain/alerts/silence.ts";
import { hasRight } from "../../domain/scope.ts";
import type { ListedSilence } from "../../stores/state/silence-store.ts";

/** A silence, with the names of what it covers. */
export interface SilenceItem extends Omit<ListedSilence, "ruleId" | "projectId"> {
  rule: { id: number; name: string } | null;
  project: { id: number; slug: string } | null;
  isOver: boolean;
  mayChange: boolean;
}

export interface SilencesPage {
  silences: SilenceItem[];
  /** The rules and projects that the person may silence. */
  rules: Array<{ id: number; name: string }>;
  projects: Array<{ id: number; slug: string }>;
  /** Environments of the projects, as suggestions. */
  environments: string[];
  mayChooseAll: boolean;
}

const MAX_SUGGESTED = 50;

export async function getSilencesPage(workspace: Workspace, now: number): Promise<SilencesPage> {
  const { state, scope, events } = workspace;
  const [silences, rules, projects, environments] = await Promise.all([
    listSilences(workspace, now),
    state.alerts.listRules(scope, now),
    state.projects.listProjects(scope),
    events.listEnvironments(scope.projectIds),
  ]);
  const mayOfProjects = hasRight(scope, "project:write") || hasRight(scope, "project:releases");
  return {
    silences,
    rules: rules.filter((rule) => mayManageRule(scope, rule)).map(({ id, name }) => ({ id, name })),
    projects: mayOfProjects ? projects.map(({ id, slug }) => ({ id, slug })) : [],
    environments: environments.slice(0, MAX_SUGGESTED),
    mayChooseAll: hasRight(scope, "org:write"),
  };
}

/** The silences: first those in effect, then those that are over. */
export async function listSilences({ state, scope }: Workspace, now: number): Promise<SilenceItem[]> {
  const silences = await state.silences.listSilences(scope, now);
  if (silences.length === 0) return [];
  const rules = await state.alerts.listRules(scope, now);
  const projects = await state.projects.listProjects(scope);
  return silences.map(({ ruleId, projectId, ...silence }) => {
    const rule = rules.find(({ id }) => id === ruleId) ?? null;
    const project = projects.find(({ id }) => id === projectId) ?? null;
    return {
      ...silence,
      rule: rule && { id: rule.id, name: rule.name },
      project: project && { id: project.id, slug: project.slug },
      isOver: silence.endsAt <= now,
      mayChange: mayManageSilence(scope, { projectId, rule }),
    };
  });
}

/** A silence as a banner shows it. */
export type ActiveSilence = Pick<SilenceItem, "id" | "environment" | "reason" | "madeBy" | "endsAt" | "mayChange"> & {
  /** The name of the rule, if it covers only one. Null: it covers all rules. */
  ruleName: string | null;
};

const MAX_BANNERS = 3;

/** The silences that act on a rule or on a project, of any environment. For a project, silences of single rules are left out. */
export async function listActiveSilences(
  { state, scope }: Workspace,
  of: { rule: { id: number; projectIds: readonly number[] | null } } | { projectId: number },
  now: number,
): Promise<ActiveSilence[]> {
  const holding = (await state.silences.listSilences(scope, now)).filter(({ endsAt }) => endsAt > now);
  const acts = (silence: ListedSilence) => {
    if ("projectId" in of) {
      const { projectId } = of;
      const change = { ruleId: 0, projectId, environment: silence.environment, at: now };
      return silence.ruleId === null && findSilence([silence], change) !== null;
    }
    const { id, projectIds } = of.rule;
    if (silence.ruleId !== null) return silence.ruleId === id;
    return silence.projectId === null || projectIds === null || projectIds.includes(silence.projectId);
  };
  return await Promise.all(
    holding
      .filter(acts)
      .slice(0, MAX_BANNERS)
      .map(async ({ id, environment, reason, madeBy, endsAt, ruleId, projectId }) => {
        const rule = ruleId === null ? null : await state.alerts.getRule(scope, ruleId);
        const mayChange = mayManageSilence(scope, { projectId, rule });
        return { id, environment, reason, madeBy, endsAt, mayChange, ruleName: rule?.name ?? null };
      }),
  );
}
