import { ChevronDown } from "lucide-react";
import { type ComponentType, useEffect, useState } from "react";
import { importOptional } from "../../navigation/stale-build.ts";
import { buttonClassNames } from "../../ui/button.tsx";
import { Popover } from "../../ui/popover.tsx";

const LABEL = "Archive for a while";
const loadPanel = () => import("./bulk-archive-panel.tsx");

/** The menu beside “Archive” for the selected issues. `form`: the id of the list's form. */
export function BulkArchiveOptions({ form, hasSelection }: { form: string; hasSelection: boolean }) {
  const [Panel, setPanel] = useState<ComponentType<{ form: string }> | null>(null);
  useEffect(() => {
    // The panel is loaded late: nobody needs it to read the list.
    if (hasSelection) void importOptional(loadPanel).then((module) => module && setPanel(() => module.default));
  }, [hasSelection]);
  return (
    <span className="needs-script">
      <Popover
        label={LABEL}
        shortcut="Shift+m"
        triggerClassName={`${buttonClassNames("secondary", "sm")} px-1.5!`}
        trigger={
          <>
            <ChevronDown aria-hidden="true" />
            <span className="sr-only">{LABEL}</span>
          </>
        }
      >
        {Panel ? <Panel form={form} /> : <p className="text-muted text-sm">Loading…</p>}
      </Popover>
    </span>
  );
}
