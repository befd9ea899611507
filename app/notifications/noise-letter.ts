import { isCountTrigger } from "../domain/alerts/alert-rule.ts";
import {
  MAX_NOISY,
  mayChangeRule,
  NOISE_MS,
  type NoisyRule,
  sayNoise,
  saySuggestedLine,
} from "../domain/alerts/noise.ts";
import type { Delivery } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Letter } from "./letter.ts";
import { toLine } from "./message.ts";
import { NO_LINKS } from "./message-words.ts";
import { findReaderZone, sayInstant } from "./reader-zone.ts";
import { escapeHtml, type Mail } from "./render-mail.ts";

/** Rules that are read for one report, before it is narrowed to those of its reader. */
const MAX_READ = 100;

/** The rules of a person that fired often in the week before `to`. Empty: there is nothing to report. */
export async function listNoiseOf(
  state: Pick<State, "people" | "alertNoiseWork">,
  { userId, to, now }: { userId: number; to: number; now: number },
): Promise<NoisyRule[]> {
  const access = await state.people.getAccess(userId);
  if (access === null) return [];
  const rules = await state.alertNoiseWork.listNoisyRules({ from: to - NOISE_MS, to, now, limit: MAX_READ });
  return rules.filter(({ rule }) => mayChangeRule(access, rule)).slice(0, MAX_NOISY);
}

/** The weekly report about alert rules that fire often. Null: the delivery is no report, or there is nothing left to report to this person. */
export async function composeNoiseLetter(
  state: Pick<State, "people" | "alertNoiseWork" | "quietHours" | "push">,
  { target, items }: Pick<Delivery, "target" | "items">,
  { baseUrl, now }: { baseUrl: string | null; now: number },
): Promise<Omit<Letter, "notice"> | null> {
  const report = items.findLast(({ transition }) => transition === "noise");
  const userId = Number(target.address);
  const user = await state.people.getUser(userId);
  if (report === undefined || user === null) return null;
  const rules = await listNoiseOf(state, { userId, to: report.at, now });
  if (rules.length === 0) return null;
  const timezone = await findReaderZone(state, userId);
  return { address: user.email, project: "", mail: render(rules, { until: sayInstant(report.at, timezone), baseUrl }) };
}

function render(rules: readonly NoisyRule[], { until, baseUrl }: { until: string; baseUrl: string | null }): Mail {
  const count = rules.length;
  const subject = `${count} alert ${count === 1 ? "rule fires" : "rules fire"} often`;
  const intro = `These alert rules fired most in the seven days before ${until}. Alerts that people stop reading tell nobody.`;
  const foot = [
    "You get this mail once a week because you may change these rules. Turn it off under Alerts.",
    baseUrl === null && NO_LINKS,
  ]
    .filter(Boolean)
    .join(" ");
  const blocks = rules.map(({ rule, noise, suggested }) => {
    const own = rule.triggers.find(isCountTrigger)?.count;
    return {
      name: toLine(rule.name),
      url: baseUrl && `${baseUrl}/alerts/${rule.id}`,
      said: sayNoise(noise),
      better: suggested !== null && own !== undefined ? saySuggestedLine(suggested, { own, acted: noise.acted }) : null,
      try:
        suggested !== null && own !== undefined && baseUrl !== null
          ? { label: `Look at ${suggested.line.toLocaleString("en")}`, url: toTryUrl(baseUrl, rule.id, suggested.line) }
          : null,
    };
  });
  const texts = blocks.map(({ name, url, said, better, try: look }) =>
    [name, said, better, look ? `${look.label}: ${look.url}` : url].filter(Boolean).join("\n"),
  );
  const rows = blocks.map(
    ({ name, url, said, better, try: look }) => `<div style="padding:0 0 20px">
<div style="font-size:16px;font-weight:600;overflow-wrap:anywhere">${url === null ? escapeHtml(name) : `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`}</div>
<div>${escapeHtml(said)}</div>${better === null ? "" : `\n<div style="font-weight:600">${escapeHtml(better)}</div>`}${look === null ? "" : `\n<div><a href="${escapeHtml(look.url)}">${escapeHtml(look.label)}</a></div>`}
</div>`,
  );
  return {
    subject,
    text: `${[intro, ...texts, `-- \n${foot}`].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:16px;font:14px/1.5 system-ui,sans-serif;max-width:640px">
<p>${escapeHtml(intro)}</p>
${rows.join("\n")}
<p style="padding-top:16px;border-top:1px solid #8886;font-size:12px">${escapeHtml(foot)}</p>
</body></html>
`,
  };
}

/** The page of the rule, with the suggested line in its form and a rehearsal of it. */
function toTryUrl(baseUrl: string, ruleId: number, line: number): string {
  return `${baseUrl}/alerts/${ruleId}?line=${line}`;
}
