import { FIRST_EVENTS_KEPT } from "../../domain/volume/spike-bound.ts";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { Spike } from "./get-spike.server.ts";

/** Says that a flood is being left out, while it lasts. */
export function SpikeNotice({ slug, spike }: { slug: string; spike: Spike | null }) {
  const mayChange = useMay("project:write");
  if (spike === null) return null;
  const { arrived, notStored, bound, usual } = spike;
  return (
    <Notice
      tone="warning"
      title="Spike protection holds"
      actions={
        mayChange && (
          <ButtonForm action={`/projects/${slug}/limits`} name="intent" value="turn-off-spike" size="sm">
            Turn off
          </ButtonForm>
        )
      }
    >
      <p>
        {formatCount(arrived)} errors came in this hour; usual is {formatCount(usual)} an hour. Above{" "}
        {formatCount(bound)}, only the first {FIRST_EVENTS_KEPT} events of each new issue are stored.{" "}
        {formatCount(notStored)} {notStored === 1 ? "is" : "are"} counted and not stored.
      </p>
    </Notice>
  );
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}
