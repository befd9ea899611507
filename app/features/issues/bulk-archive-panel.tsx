import { Clock, TrendingUp } from "lucide-react";
import { ARCHIVE_CHOICES } from "./archive-choices.ts";
import { ArchiveCountFields, ArchiveUntilFields } from "./archive-fields.tsx";
import { EscalationWords } from "./archive-options.tsx";

/**
 * Archives the selected issues for a time, or until a number of events or users. Its fields belong to the list's form, wherever the
 * panel is drawn.
 */
export default function BulkArchivePanel({ form }: { form: string }) {
  return (
    <div className="grid w-72 max-w-full gap-3 text-sm">
      <div className="grid gap-1">
        <button type="submit" form={form} name="intent" value="archive-escalates" className="menu-item">
          <TrendingUp aria-hidden="true" />
          <EscalationWords />
        </button>
        {ARCHIVE_CHOICES.map(({ name, label }) => (
          <button key={name} type="submit" form={form} name="intent" value={`archive-${name}`} className="menu-item">
            <Clock aria-hidden="true" />
            {label}
          </button>
        ))}
      </div>
      <div className="grid gap-2 border-line border-t pt-3">
        <ArchiveUntilFields form={form} button={{ name: "intent", value: "archive-until" }} />
      </div>
      <div className="grid gap-2 border-line border-t pt-3">
        <ArchiveCountFields form={form} button={{ name: "intent", value: "archive-count" }} />
      </div>
    </div>
  );
}
