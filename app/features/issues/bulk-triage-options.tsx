import { AlarmClock, Ellipsis, Signal, UserRound } from "lucide-react";
import { type ComponentType, useEffect, useState } from "react";
import { importOptional } from "../../navigation/stale-build.ts";
import { buttonClassNames } from "../../ui/button.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useMay } from "../frame/use-may.tsx";

const loadPanels = () => import("./bulk-triage-panels.tsx");
type Panels = Record<"AssignPanel" | "PriorityPanel" | "SnoozePanel" | "MorePanel", ComponentType<{ form: string }>>;

/** The buttons “Assign”, “Priority”, “Snooze” and the menu of rarer actions for the selected issues. `form`: the id of the list's form. */
export function BulkTriageOptions({ form, hasSelection }: { form: string; hasSelection: boolean }) {
  const [panels, setPanels] = useState<Panels | null>(null);
  useEffect(() => {
    // The panels are loaded late: nobody needs them to read the list.
    if (hasSelection) void importOptional(loadPanels).then((module) => module && setPanels(() => module));
  }, [hasSelection]);
  const mayChange = useMay("event:write");
  const waiting = <p className="text-muted text-sm">Loading…</p>;
  return (
    <>
      {mayChange && (
        <>
          <BulkPopover
            label="Assign"
            shortcut="Shift+a"
            icon={<UserRound aria-hidden="true" className="max-sm:hidden" />}
          >
            {panels ? <panels.AssignPanel form={form} /> : waiting}
          </BulkPopover>
          <BulkPopover label="Priority" shortcut="p" icon={<Signal aria-hidden="true" className="max-sm:hidden" />}>
            {panels ? <panels.PriorityPanel form={form} /> : waiting}
          </BulkPopover>
        </>
      )}
      <BulkPopover label="Snooze" shortcut="z" icon={<AlarmClock aria-hidden="true" className="max-sm:hidden" />}>
        {panels ? <panels.SnoozePanel form={form} /> : waiting}
      </BulkPopover>
      <BulkPopover label="More" shortcut="f" icon={<Ellipsis aria-hidden="true" />}>
        {panels ? <panels.MorePanel form={form} /> : waiting}
      </BulkPopover>
    </>
  );
}

function BulkPopover({
  label,
  shortcut,
  icon,
  children,
}: {
  label: string;
  shortcut: string;
  icon: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <span className="needs-script">
      <Popover
        label={label}
        shortcut={shortcut}
        triggerClassName={buttonClassNames("secondary", "sm")}
        trigger={
          <>
            {icon}
            <span className={label === "More" ? "sr-only" : "sm:max-[88rem]:sr-only"}>{label}</span>
          </>
        }
      >
        {children}
      </Popover>
    </span>
  );
}
