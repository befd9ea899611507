import { Outlet } from "react-router";
import { SettingsNav } from "../../features/frame/settings-nav.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";

/** The frame of all settings pages, with links to the others. */
export default function SettingsLayout() {
  useAnswerInSight();
  return (
    <div className="settings-frame">
      <SettingsNav />
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}
