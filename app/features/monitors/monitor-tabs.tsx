import { TabLinks } from "../../ui/tab-links.tsx";

const TABS = [
  { to: "/crons", label: "Crons" },
  { to: "/uptime", label: "Uptime" },
  { to: "/metric-monitors", label: "Metrics" },
] as const;

/** The pages of things that Culprit watches by itself. `count`: the number of monitors on the current page. */
export function MonitorTabs({ current, count }: { current: (typeof TABS)[number]["to"]; count?: number }) {
  return (
    <TabLinks
      label="Monitors"
      tabs={TABS.map((tab) => {
        const isCurrent = tab.to === current;
        return { ...tab, isCurrent, ...(isCurrent && count !== undefined ? { count } : {}) };
      })}
    />
  );
}
