import { RULE_TEMPLATES } from "../../domain/alerts/rule-templates.ts";
import { METRIC_TEMPLATES } from "../../domain/metrics/metric-templates.ts";
import { Panel } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** Links to forms that are filled in already. `project`: a slug; empty: the person chooses one there. */
export function TemplateLinks({ kinds, project }: { kinds: "alerts" | "metrics" | "both"; project: string }) {
  const search = (template: string) => new URLSearchParams({ template, ...(project && { project }) });
  const links = [
    ...(kinds === "metrics"
      ? []
      : RULE_TEMPLATES.map(({ id, name, what }) => ({ to: `/alerts/new?${search(id)}`, name, what }))),
    ...(kinds === "alerts"
      ? []
      : METRIC_TEMPLATES.map(({ id, typed, what }) => ({
          to: `/metric-monitors/new?${search(id)}`,
          name: typed.name,
          what,
        }))),
  ];
  return (
    <Panel
      title="Start from a template"
      description="The form is filled in. Look at the preview, change what you like, and save."
      isFlush
    >
      <ul className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2 xl:grid-cols-3">
        {links.map(({ to, name, what }) => (
          <li key={to} className="min-w-0 text-sm">
            <TextLink to={to} className="font-semibold">
              {name}
            </TextLink>
            <p className="text-muted text-xs">{what}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
