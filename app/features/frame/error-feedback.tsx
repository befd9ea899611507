import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextareaField } from "../../ui/field.tsx";

/** Asks what the person was doing. It is a plain form, because the router may be what broke. If script still runs, it is sent in the background. */
export function ErrorFeedback({ eventId, page }: { eventId: string | null; page: string }) {
  const [state, setState] = useState<"open" | "sending" | "sent">("open");
  if (state === "sent") {
    return (
      <p role="status" className="text-ink">
        Thank you. Your answer is stored with the report.
      </p>
    );
  }
  return (
    <form
      method="post"
      action="/error-feedback"
      className="grid justify-items-start gap-3 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        setState("sending");
        // The answer to a success leads to another page, which nobody wants here.
        fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }).then(
          (answer) => (answer.type === "opaqueredirect" ? setState("sent") : form.submit()),
          () => form.submit(),
        );
      }}
    >
      {eventId && <input type="hidden" name="eventId" value={eventId} />}
      <input type="hidden" name="page" value={page} />
      <TextareaField
        label="What were you doing?"
        hint="The operators of this server get it with the report of the fault."
        name="message"
        rows={3}
        required
        maxLength={4000}
        className="w-full"
      />
      <Button type="submit" isPending={state === "sending"}>
        Send
      </Button>
    </form>
  );
}
