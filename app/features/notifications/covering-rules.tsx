import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AlertSentence } from "../alerts/alert-sentence.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";

/** The alert rules that cover the project. Only they decide what is told, and to whom. */
export function CoveringRules({ rules, project }: { rules: NotificationPage["rules"]; project: { slug: string } }) {
  return (
    <Panel
      title="Alert rules that cover this project"
      description="They say what is told, and to whom."
      actions={
        <LinkButton to={`/alerts/new?project=${encodeURIComponent(project.slug)}`} size="sm">
          New alert rule
        </LinkButton>
      }
      isFlush
    >
      {rules.length === 0 ? (
        <EmptyState title={`Nobody is told of issues of ${project.slug}`}>
          No alert rule covers this project. Make one: it says when somebody is told, and who.
        </EmptyState>
      ) : (
        <ul aria-label="Alert rules that cover this project" className="divide-y divide-line">
          {rules.map(({ id, name, sentence, isEnabled }) => (
            <li key={id} className="grid gap-1 px-4 py-2.5">
              <p className="flex flex-wrap items-center gap-x-2 text-sm">
                <TextLink to={`/alerts/${id}`} className="wrap-anywhere font-semibold">
                  {name}
                </TextLink>
                {!isEnabled && <Badge>disabled</Badge>}
              </p>
              <p className="text-sm">
                <AlertSentence parts={sentence} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
