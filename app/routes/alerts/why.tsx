import { Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import { AlertSentence } from "../../features/alerts/alert-sentence.tsx";
import { explainAlerts } from "../../features/alerts/explain-alert.server.ts";
import { OutcomeList } from "../../features/alerts/outcome-list.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/why.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const rule = url.searchParams.get("rule") ?? "";
  return await explainAlerts(context.get(workspaceContext), {
    issueText: (url.searchParams.get("issue") ?? "").trim().slice(0, 100),
    ruleId: /^\d{1,15}$/.test(rule) ? Number(rule) : null,
    now: Date.now(),
  });
}

export default function WhyPage({ loaderData }: Route.ComponentProps) {
  const { issue, issueText, ruleId, rules, answers, leftOut } = loaderData;
  return (
    <div className="grid max-w-[72rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Why was I told, or not?"
        description="What each alert rule saw of an issue, and what holds now."
        trail={[{ label: "Alerts", to: "/alerts" }]}
      />
      <Card className="p-4">
        <Form className="flex flex-wrap items-end gap-3" role="search">
          <TextField
            label="Issue"
            name="issue"
            defaultValue={issueText}
            required
            autoComplete="off"
            placeholder="SHOP-12"
            error={issueText !== "" && issue === null ? "There is no such issue." : null}
          />
          <SelectField label="Alert rule" name="rule" defaultValue={ruleId ?? ""}>
            <option value="">all of its project</option>
            {toOptions(rules, ({ id, name }) => [id, name])}
          </SelectField>
          <Button type="submit" variant="primary">
            Explain
          </Button>
        </Form>
      </Card>
      {issue && (
        <p className="wrap-anywhere text-sm">
          <TextLink to={`/issues/${issue.id}`} className="font-mono">
            {issue.shortId}
          </TextLink>{" "}
          {issue.title}
        </p>
      )}
      {issue && answers.length === 0 && (
        <Card>
          <EmptyState title="No rule covers its project">So nobody is told of this issue by a rule.</EmptyState>
        </Card>
      )}
      {answers.map(({ rule, sentence, reasons, history }) => (
        <Panel
          key={rule.id}
          title={
            <>
              <TextLink to={`/alerts/${rule.id}`}>{rule.name}</TextLink> {!rule.isEnabled && <Badge>disabled</Badge>}
            </>
          }
          isFlush
        >
          <div className="grid gap-2 px-4 py-3 text-sm">
            <p className="wrap-anywhere">
              <AlertSentence parts={sentence} />
            </p>
            <ul className="grid list-disc gap-1 pl-5">
              {reasons.map((reason) => (
                <li key={reason} className="wrap-anywhere">
                  {reason}
                </li>
              ))}
            </ul>
          </div>
          {history.length === 0 ? (
            <p className="border-line border-t px-4 py-3 text-muted text-sm">
              It has seen nothing of this issue that it waits for.
            </p>
          ) : (
            <OutcomeList items={history} label={`What ${rule.name} saw of the issue`} />
          )}
        </Panel>
      ))}
      {leftOut > 0 && <p className="text-muted text-xs">{leftOut} more rules cover its project. Choose one above.</p>}
    </div>
  );
}

export function meta() {
  return [{ title: "Why was I told? · Culprit" }];
}

export const handle = { section: "alerts" };
