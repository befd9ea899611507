import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { Menu } from "../../ui/menu.tsx";
import type { MenuItem } from "../../ui/menu-item.ts";
import { type Theme, toTheme } from "./theme.ts";

const THEME_CHOICES: ReadonlyArray<{ theme: Theme; label: string; icon: ReactNode }> = [
  { theme: "system", label: "As the device", icon: <Monitor aria-hidden="true" /> },
  { theme: "light", label: "Light", icon: <Sun aria-hidden="true" /> },
  { theme: "dark", label: "Dark", icon: <Moon aria-hidden="true" /> },
];

export function AccountMenu({
  viewer,
  onShowShortcuts,
}: {
  viewer: { name: string; email: string };
  onShowShortcuts: () => void;
}) {
  const location = useLocation();
  const root = useRouteLoaderData<{ theme: unknown }>("root");
  const current = toTheme(root?.theme);
  const items: MenuItem[] = [
    { kind: "heading", label: viewer.email },
    { kind: "link", to: "/settings", label: "Your account", icon: <UserRound aria-hidden="true" /> },
    {
      kind: "button",
      label: "Shortcuts",
      shortcut: "?",
      icon: <Keyboard aria-hidden="true" />,
      onSelect: onShowShortcuts,
    },
    { kind: "separator" },
    { kind: "heading", label: "Theme" },
    ...THEME_CHOICES.map(
      ({ theme, label, icon }): MenuItem => ({
        kind: "submit",
        action: "/theme",
        fields: { theme, to: location.pathname + location.search },
        staysField: "stay",
        label,
        icon,
        isCurrent: theme === current,
      }),
    ),
    { kind: "separator" },
    { kind: "submit", action: "/sign-out", fields: {}, label: "Sign out", icon: <LogOut aria-hidden="true" /> },
  ];
  return (
    <div className="rail-account">
      <Menu
        label={`Account of ${viewer.name}`}
        trigger={
          <span className="avatar" aria-hidden="true">
            {initialsOf(viewer.name)}
          </span>
        }
        triggerClassName="avatar-button"
        items={items}
        side="top"
      />
    </div>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
