import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

/** Lets the reader leave the organization. */
export function LeaveOrganization({ name }: { name: string }) {
  return (
    <Panel title={`Leave ${name}`}>
      <div className="flex flex-wrap items-center gap-3">
        <p className="mr-auto text-muted text-sm">Your sessions end, and your personal tokens stop.</p>
        <ConfirmDialog
          title={`Leave ${name}?`}
          trigger={{ variant: "quiet", children: "Leave…" }}
          back="Stay"
          explanation={<p>You see nothing of it any more. An owner or a manager can add you again.</p>}
        >
          <ButtonForm name="intent" value="leave" variant="danger">
            Leave
          </ButtonForm>
        </ConfirmDialog>
      </div>
    </Panel>
  );
}
