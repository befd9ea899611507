import { TabLinks } from "../../ui/tab-links.tsx";
import { useMay } from "../frame/use-may.tsx";

const TABS = [
  { name: "members", label: "Members", to: "/settings/members", right: "member:read" },
  { name: "invitations", label: "Invitations", to: "/settings/invitations", right: "member:write" },
  { name: "teams", label: "Teams", to: "/settings/teams", right: "team:read" },
  { name: "sign-in", label: "Sign-in", to: "/settings/sign-in", right: "org:admin" },
] as const;

/** The pages about people of the organization. */
export function PeopleTabs({ current }: { current: (typeof TABS)[number]["name"] }) {
  const may = {
    "member:write": useMay("member:write"),
    "member:read": useMay("member:read"),
    "team:read": useMay("team:read"),
    "org:admin": useMay("org:admin"),
  };
  return (
    <TabLinks
      label="People"
      tabs={TABS.filter(({ right }) => may[right]).map(({ name, label, to }) => ({
        to,
        label,
        isCurrent: name === current,
      }))}
    />
  );
}
