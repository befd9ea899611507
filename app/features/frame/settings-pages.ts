import type { ApiScope } from "../../domain/api-token.ts";

export interface SettingsPage {
  to: string;
  label: string;
  /** The right that is needed to see it. Absent: every member sees it. */
  right?: ApiScope;
}

/** Every page of the settings, in the order of the navigation. Rights are those of the route: access/route-rights.server.ts. */
export const SETTINGS_PAGES: ReadonlyArray<{ group: string; pages: readonly SettingsPage[] }> = [
  {
    group: "You",
    pages: [
      { to: "/settings", label: "Account" },
      { to: "/settings/security", label: "Your sign-in" },
      { to: "/settings/tokens", label: "Tokens" },
    ],
  },
  {
    group: "People",
    pages: [
      { to: "/settings/members", label: "Members", right: "member:read" },
      { to: "/settings/invitations", label: "Invitations", right: "member:write" },
      { to: "/settings/teams", label: "Teams", right: "team:read" },
      { to: "/settings/sign-in", label: "Sign-in", right: "org:admin" },
      { to: "/settings/audit", label: "Audit log", right: "org:write" },
    ],
  },
  {
    group: "Connections",
    pages: [
      { to: "/settings/channels", label: "Channels", right: "project:write" },
      { to: "/settings/delivery", label: "Delivery", right: "project:write" },
      { to: "/settings/locations", label: "Locations", right: "org:write" },
      { to: "/settings/repositories", label: "Repositories", right: "project:read" },
    ],
  },
  {
    group: "Data and server",
    pages: [
      { to: "/settings/limits", label: "Limits", right: "org:write" },
      { to: "/settings/storage", label: "Storage", right: "org:read" },
      { to: "/settings/deletions", label: "Deletions", right: "event:read" },
      { to: "/settings/jobs", label: "Background jobs", right: "org:read" },
    ],
  },
];

/** Whether a page is the open one, or contains it. */
export function isSettingsPage({ to }: SettingsPage, pathname: string): boolean {
  return pathname === to || (to !== "/settings" && pathname.startsWith(`${to}/`));
}
