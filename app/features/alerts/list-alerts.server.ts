import type { Workspace } from "../../access/workspace.ts";
import { coversProject, mayManageRule } from "../../domain/alerts/alert-rule.ts";
import { type SaidPart, sayRule, toSentence } from "../../domain/alerts/say-rule.ts";
import { type ListPage, takePage } from "../input/list-page.ts";
import { loadRuleNames } from "./load-rule-names.server.ts";
import { toRuleNames } from "./rule-names.ts";

export interface AlertItem {
  id: number;
  name: string;
  sentence: SaidPart[];
  isEnabled: boolean;
  mayChange: boolean;
  lastFiredAt: number | null;
  /** The number of firings in the last seven days. */
  recentFirings: number;
}

export interface AlertList {
  /** The rules of one page. */
  rules: AlertItem[];
  page: ListPage;
  /** The number of rules without the search. */
  count: number;
  /** Slugs of projects that no enabled rule covers. At most 20. */
  uncovered: string[];
  isMailSetUp: boolean;
}

const MAX_UNCOVERED = 20;

/** The rules that the viewer sees and whose name or sentence has the words of the search. */
export async function listAlerts(
  workspace: Workspace,
  { search, page, now }: { search: string; page: number; now: number },
): Promise<AlertList> {
  const { state, scope, notifications } = workspace;
  const [rules, table] = await Promise.all([state.alerts.listRules(scope, now), loadRuleNames(workspace)]);
  const names = toRuleNames(table);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const items = rules.map((rule): AlertItem => {
    const { id, name, isEnabled, lastFiredAt, recentFirings } = rule;
    const mayChange = mayManageRule(scope, rule);
    return { id, name, sentence: sayRule(rule, names), isEnabled, mayChange, lastFiredAt, recentFirings };
  });
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const { rows, ...pages } = takePage(
    items.filter(({ name, sentence }) => fits(`${name} ${toSentence(sentence)}`)),
    page,
  );
  return {
    rules: rows,
    page: pages,
    count: items.length,
    uncovered: table.projects
      .filter(({ id }) => !rules.some((rule) => rule.isEnabled && coversProject(rule, id)))
      .map(({ slug }) => slug)
      .slice(0, MAX_UNCOVERED),
    isMailSetUp: notifications.mailFrom !== null,
  };
}
