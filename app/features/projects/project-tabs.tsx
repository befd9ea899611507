import { TabLinks } from "../../ui/tab-links.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import { useMay } from "../frame/use-may.tsx";

const TABS = [
  { name: "overview", label: "Overview", path: "" },
  { name: "source-maps", label: "Source maps", path: "/source-maps" },
  { name: "notifications", label: "Notifications", path: "/notifications" },
  { name: "grouping", label: "Grouping", path: "/grouping" },
  { name: "filters", label: "Filters", path: "/filters" },
  { name: "limits", label: "Limits", path: "/limits" },
  { name: "privacy", label: "Privacy", path: "/privacy" },
  { name: "owners", label: "Owners", path: "/owners" },
  { name: "people", label: "People", path: "/people" },
  { name: "set-up", label: "Set-up", path: "/set-up" },
  { name: "settings", label: "Settings", path: "/settings" },
] as const;

export type ProjectTab = (typeof TABS)[number]["name"];

/** The pages of a project. Before its first event there is no overview, and set-up comes first. */
export function ProjectTabs({
  project,
  current,
}: {
  project: { slug: string; firstEventAt: number | null };
  current: ProjectTab;
}) {
  const mayChange = useMay("project:write");
  useAnswerInSight();
  const mayReadMembers = useMay("member:read");
  const isWaiting = project.firstEventAt === null;
  const shown = isWaiting
    ? [...TABS.filter(({ name }) => name === "set-up"), ...TABS.filter(({ name }) => !/set-up|overview/.test(name))]
    : TABS;
  return (
    <TabLinks
      label="Pages of the project"
      tabs={shown
        .filter(
          ({ name }) =>
            (mayChange || !/settings|notifications|filters|limits|privacy/.test(name)) &&
            (mayReadMembers || name !== "people"),
        )
        .map(({ name, label, path }) => ({
          to: `/projects/${project.slug}${path}`,
          label,
          isCurrent: name === current,
        }))}
    />
  );
}
