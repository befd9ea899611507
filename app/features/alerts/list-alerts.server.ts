import type { Workspace } from "../../access/workspace.ts";
import { mayManageRule } from "../../domain/alerts/alert-rule.ts";
import { type SaidPart, sayRule, toSentence } from "../../domain/alerts/say-rule.ts";
import { hasRight } from "../../domain/scope.ts";
import { loadRuleNames } from "./load-rule-names.server.ts";
import { toRuleNames } from "./rule-names.ts";

export interface AlertItem {
  id: number;
  name: string;
  sentence: SaidPart[];
  isEnabled: boolean;
  mayChange: boolean;
  lastFiredAt: number | null;
  /** In the last seven days. */
  recentFirings: number;
}

export interface AlertList {
  rules: AlertItem[];
  /** Without the search. */
  count: number;
  /** Projects whose settings tell of new and regressed issues beside the rules. */
  settings: Array<{ slug: string; name: string; sentence: string }>;
  isMailSetUp: boolean;
}

const MAX_SETTINGS = 20;

/** The rules that somebody sees, as far as name or sentence have the words. */
export async function listAlerts(
  workspace: Workspace,
  { search, now }: { search: string; now: number },
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
  return {
    rules: items.filter(({ name, sentence }) => fits(`${name} ${toSentence(sentence)}`)),
    count: items.length,
    settings: (await listSettings(workspace, table.projects)).filter(({ sentence }) => fits(sentence)),
    isMailSetUp: notifications.mailFrom !== null,
  };
}

/** Their page is for those who may change it. */
async function listSettings(
  { state, scope, notifications }: Workspace,
  projects: ReadonlyArray<{ id: number; slug: string; name: string }>,
): Promise<AlertList["settings"]> {
  if (!hasRight(scope, "project:write")) return [];
  const ownerEmail = await notifications.findOwnerEmail();
  const said: AlertList["settings"] = [];
  for (const { id, slug, name } of projects) {
    if (said.length === MAX_SETTINGS) break;
    const { transitions, emails, channelIds } = await state.notifications.getNotificationSettings(scope, id);
    const addresses = notifications.mailFrom === null ? [] : (emails ?? (ownerEmail === null ? [] : [ownerEmail]));
    if (transitions.length === 0 || addresses.length + channelIds.length === 0) continue;
    const when = transitions.map((word) => (word === "new" ? "is new" : "comes back")).join(" or ");
    const receivers = [
      ...(addresses.length > 0
        ? [addresses.length === 1 ? String(addresses[0]) : `${addresses.length} addresses`]
        : []),
      ...(channelIds.length > 0 ? [channelIds.length === 1 ? "1 channel" : `${channelIds.length} channels`] : []),
    ].join(" and ");
    said.push({ slug, name, sentence: `When an issue of ${slug} ${when}, tell ${receivers}.` });
  }
  return said;
}
