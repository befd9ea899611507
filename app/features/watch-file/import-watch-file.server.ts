import type { Workspace } from "../../access/workspace.ts";
import { mayManageRule } from "../../domain/alerts/alert-rule.ts";
import type { TypedRuleDraft } from "../../domain/alerts/read-rule-draft.ts";
import { readMetricSettings } from "../../domain/metrics/read-metric-settings.ts";
import { MONITOR_LIMITS } from "../../domain/monitor.ts";
import { toSlug } from "../../domain/monitors/monitor-slug.ts";
import { readSentConfig } from "../../domain/monitors/sent-config.ts";
import { MAY_NOT_MANAGE } from "../alerts/alert-result.ts";
import type { RuleNameTable } from "../alerts/load-rule-names.server.ts";
import { changeAlertRule, checkRuleDraft, createAlertRule } from "../alerts/save-alert.server.ts";
import { createCron } from "../crons/change-cron.server.ts";
import { createMetric, saveMetric } from "../metrics/change-metrics.server.ts";
import { createUptime } from "../uptime/change-uptime.server.ts";
import { readUptimeForm } from "../uptime/read-uptime-form.ts";
import { loadWatched, type Watched } from "./export-watch-file.server.ts";
import { toFileCron, toFileMetric, toFileRule, toFileUptime } from "./to-file-entries.ts";
import {
  type FileCron,
  type FileMetric,
  type FileRule,
  type FileUptime,
  listDifferences,
  type WatchChange,
  type WatchFile,
  type WatchKind,
} from "./watch-file.ts";

/** The plan for an entry. `apply` absent: there is nothing to do. `apply` returns null if it worked, and otherwise the reason why not. */
interface Planned {
  change: Pick<WatchChange, "name" | "project" | "action" | "message">;
  apply?: () => Promise<string | null>;
}

type Applied = { ok: true } | { ok: false; message: string };

/**
 * Compares a file with what exists, and with `isApplied` makes the changes. An entry is identified by its project and name, a rule by its
 * name alone, a cron by its slug. What is not in the file stays. An entry that cannot be read is refused with a reason and changes nothing;
 * the other entries are applied.
 */
export async function importWatchFile(
  workspace: Workspace,
  { file, isApplied, now }: { file: WatchFile; isApplied: boolean; now: number },
): Promise<WatchChange[]> {
  const watched = await loadWatched(workspace, now);
  const asked = { workspace, watched, now };
  const plans: Array<[kind: WatchKind, plan: (index: number) => Promise<Planned>, count: number]> = [
    ["rules", (index) => planRule(asked, file.rules[index] as FileRule), file.rules.length],
    ["metrics", (index) => planMetric(asked, file.metrics[index] as FileMetric), file.metrics.length],
    ["crons", (index) => planCron(asked, file.crons[index] as FileCron), file.crons.length],
    ["uptime", (index) => planUptime(asked, file.uptime[index] as FileUptime), file.uptime.length],
  ];
  const changes: WatchChange[] = [];
  for (const [kind, plan, count] of plans) {
    const seen = new Set<string>();
    for (let index = 0; index < count; index++) {
      const planned = await plan(index);
      const { project, name } = planned.change;
      const key = kind === "rules" ? name : `${project} ${name}`;
      const isTwice = seen.has(key);
      seen.add(key);
      const refusal = isTwice
        ? "An entry of the same name stands before it."
        : isApplied && planned.apply
          ? await planned.apply()
          : null;
      const refused = refusal === null ? {} : ({ action: "refused", message: refusal } as const);
      changes.push({ kind, index, ...planned.change, ...refused });
    }
  }
  return changes;
}

interface Asked {
  workspace: Workspace;
  watched: Watched;
  now: number;
}

async function planRule({ workspace, watched, now }: Asked, entry: FileRule): Promise<Planned> {
  const { names, rules } = watched;
  const where = { name: entry.name, project: entry.projects?.join(", ") ?? "all projects" };
  const typed = toTypedRule(entry, names);
  if (typeof typed === "string") return refuse(where, typed);
  const checked = await checkRuleDraft(workspace, typed, now);
  if (!checked.ok) return refuse(where, `${checked.field}: ${checked.message}`);
  const known = rules.find(({ name }) => name === checked.draft.name);
  if (!mayManageRule(workspace.scope, checked.draft) || (known && !mayManageRule(workspace.scope, known)))
    return refuse(where, MAY_NOT_MANAGE.message);
  if (known === undefined)
    return { change: create(where), apply: async () => say(await createAlertRule(workspace, typed, now)) };
  const after = toFileRule(checked.draft, names);
  return compare(where, toFileRule(known, names) ?? {}, after ?? {}, async () =>
    say(await changeAlertRule(workspace, known, typed, now)),
  );
}

/** The rule with numbers in place of names. A text: who or what does not exist. */
function toTypedRule(entry: FileRule, names: RuleNameTable): TypedRuleDraft | string {
  const { projects } = names;
  const ids = entry.projects?.map((slug) => projects.find((each) => each.slug === slug)?.id ?? slug) ?? null;
  const missing = ids?.find((id) => typeof id === "string");
  if (missing !== undefined) return `projects: There is no project ${missing}.`;
  const actions = toTypedActions(entry.actions, names);
  if (typeof actions === "string") return `actions: ${actions}`;
  const steps: TypedRuleDraft["steps"][number][] = [];
  for (const [index, { afterMinutes, actions: told }] of entry.steps.entries()) {
    const ofStep = toTypedActions(told, names);
    if (typeof ofStep === "string") return `steps[${index}]: ${ofStep}`;
    steps.push({ afterMinutes, actions: ofStep });
  }
  return { ...entry, projectIds: ids as number[] | null, actions, steps };
}

/** A text: who or what does not exist. */
function toTypedActions(
  entries: FileRule["actions"],
  { teams, people, channels }: RuleNameTable,
): Array<{ kind: string; id?: number; place?: string | undefined }> | string {
  const actions: Array<{ kind: string; id?: number; place?: string | undefined }> = [];
  for (const { kind, name, place } of entries) {
    if (kind !== "team" && kind !== "on-call" && kind !== "person" && kind !== "channel") {
      actions.push({ kind });
      continue;
    }
    const found =
      kind === "team" || kind === "on-call"
        ? teams.find(({ slug }) => slug === name)
        : kind === "person"
          ? people.find(({ email }) => email.toLowerCase() === name?.toLowerCase())
          : channels.find((each) => each.name === name);
    if (found === undefined) return `There is no ${kind === "on-call" ? "team" : kind} ${name ?? "without a name"}.`;
    actions.push({ kind, id: found.id, place });
  }
  return actions;
}

async function planMetric({ workspace, watched, now }: Asked, entry: FileMetric): Promise<Planned> {
  const { project: slug, critical, ...others } = entry;
  const typed = { ...others, critical: critical ?? Number.NaN };
  const where = { name: entry.name, project: slug };
  const project = watched.names.projects.find((each) => each.slug === slug);
  if (project === undefined) return refuse(where, `project: There is no project ${slug}.`);
  const read = readMetricSettings(typed, now);
  if (!read.ok) return refuse(where, `${read.field}: ${read.message}`);
  const known = watched.metrics.find(
    (each) => each.projectId === project.id && each.settings.name === read.settings.name,
  );
  if (known === undefined)
    return {
      change: create(where),
      apply: async () => say(await createMetric(workspace, { typed, projectSlug: slug, now })),
    };
  const after = toFileMetric(read.settings, slug);
  return compare(where, toFileMetric(known.settings, slug), after, async () =>
    say(await saveMetric(workspace, { typed, monitorId: known.id, now })),
  );
}

async function planCron({ workspace, watched, now }: Asked, entry: FileCron): Promise<Planned> {
  const where = { name: entry.slug, project: entry.project };
  const project = watched.names.projects.find((each) => each.slug === entry.project);
  if (project === undefined) return refuse(where, `project: There is no project ${entry.project}.`);
  if (entry.slug === "" || toSlug(entry.slug) !== entry.slug)
    return refuse(where, "slug: Must have letters, digits, - and _ alone.");
  if ((entry.name?.length ?? 0) > MONITOR_LIMITS.nameChars)
    return refuse(where, `name: At most ${MONITOR_LIMITS.nameChars} characters.`);
  const read = readSentConfig(entry.config);
  if (!read.ok) return refuse(where, `config: ${read.fault}`);
  const { slug } = entry;
  const fields = { slug, name: entry.name === slug ? null : entry.name, config: read.config };
  const known = watched.crons.find((each) => each.projectId === project.id && each.slug === slug);
  if (known === undefined)
    return {
      change: create(where),
      apply: async () => say(await createCron(workspace, { ...fields, projectId: project.id, now })),
    };
  const owner = known.config?.owner;
  const config = owner && !fields.config.owner ? { ...fields.config, owner } : fields.config;
  const before = known.config ? toFileCron({ ...known, config: known.config }, entry.project) : {};
  return compare(where, before, toFileCron({ ...fields, config }, entry.project), async () => {
    const { state, scope } = workspace;
    const changed = await state.monitors.changeMonitor(scope, known.id, { ...fields, config, at: now });
    return changed.ok ? null : "It is gone.";
  });
}

async function planUptime({ workspace, watched, now }: Asked, entry: FileUptime): Promise<Planned> {
  const { project: slug, ...fields } = entry;
  const where = { name: entry.name, project: slug };
  const project = watched.names.projects.find((each) => each.slug === slug);
  if (project === undefined) return refuse(where, `project: There is no project ${slug}.`);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, project: slug })) form.set(name, value);
  const read = readUptimeForm(form, watched.locations);
  if (!read.ok) return refuse(where, `${read.field}: ${read.message}`);
  const known = watched.uptime.find(
    (each) => each.projectId === project.id && each.settings.name === read.settings.name,
  );
  if (known === undefined)
    return { change: create(where), apply: async () => say(await createUptime(workspace, form, now)) };
  const { state, scope } = workspace;
  const [before, after] = [known.settings, read.settings].map((each) => toFileUptime(each, slug, watched.locations));
  return compare(where, before ?? {}, after ?? {}, async () =>
    (await state.uptime.saveUptimeSettings(scope, known.id, read.settings, now)) ? null : "It is gone.",
  );
}

function create(where: { name: string; project: string }): Planned["change"] {
  return { ...where, action: "create", message: null };
}

function refuse(where: { name: string; project: string }, message: string): Planned {
  return { change: { ...where, action: "refused", message } };
}

function compare(
  where: { name: string; project: string },
  before: object,
  after: object,
  apply: () => Promise<string | null>,
): Planned {
  const differences = listDifferences(before, after);
  if (differences.length === 0) return { change: { ...where, action: "same", message: null } };
  return { change: { ...where, action: "change", message: differences.join(", ") }, apply };
}

function say(result: Applied): string | null {
  return result.ok ? null : result.message;
}
