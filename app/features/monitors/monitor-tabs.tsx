import { TabLinks } from "../../ui/tab-links.tsx";

const TABS = [{ to: "/uptime", label: "Uptime" }] as const;

/** What Culprit watches by itself. */
export function MonitorTabs({ current }: { current: (typeof TABS)[number]["to"] }) {
  return <TabLinks label="Monitors" tabs={TABS.map((tab) => ({ ...tab, isCurrent: tab.to === current }))} />;
}
