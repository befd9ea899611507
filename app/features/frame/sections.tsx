import {
  Bell,
  Bug,
  ChartGantt,
  FolderCog,
  Gauge,
  MessageSquareText,
  PackageCheck,
  Radar,
  Rocket,
  ScrollText,
  Settings,
  Sunrise,
} from "lucide-react";
import type { ReactNode } from "react";

export interface Section {
  to: string;
  label: string;
  /** Paths of other pages of the section. */
  others?: readonly string[];
  /** The number of letters of the label for which a phone has room. Absent: all. */
  phoneLetters?: number;
  /** The second key, after `g`. */
  key: string;
  icon: ReactNode;
  /** Whether it is behind *More* on a phone. */
  isBehindMore?: boolean;
}

export const SECTIONS: readonly Section[] = [
  { to: "/day", label: "My day", key: "d", icon: <Sunrise aria-hidden="true" />, isBehindMore: true },
  { to: "/issues", label: "Issues", key: "i", icon: <Bug aria-hidden="true" /> },
  { to: "/traces", label: "Traces", key: "t", icon: <ChartGantt aria-hidden="true" /> },
  { to: "/logs", label: "Logs", key: "l", icon: <ScrollText aria-hidden="true" /> },
  { to: "/performance", label: "Performance", phoneLetters: 4, key: "f", icon: <Gauge aria-hidden="true" /> },
  { to: "/feedback", label: "Feedback", key: "b", icon: <MessageSquareText aria-hidden="true" />, isBehindMore: true },
  {
    to: "/crons",
    others: ["/uptime", "/metric-monitors"],
    label: "Monitors",
    key: "m",
    icon: <Radar aria-hidden="true" />,
    isBehindMore: true,
  },
  { to: "/alerts", label: "Alerts", key: "w", icon: <Bell aria-hidden="true" />, isBehindMore: true },
  { to: "/releases", label: "Releases", key: "r", icon: <Rocket aria-hidden="true" /> },
  { to: "/projects", label: "Projects", key: "p", icon: <FolderCog aria-hidden="true" />, isBehindMore: true },
  { to: "/arrived", label: "Arrived", key: "a", icon: <PackageCheck aria-hidden="true" />, isBehindMore: true },
  { to: "/settings", label: "Settings", key: "s", icon: <Settings aria-hidden="true" />, isBehindMore: true },
];

export function isInSection({ to, others = [] }: Section, pathname: string): boolean {
  return [to, ...others].some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
