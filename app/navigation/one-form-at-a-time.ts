import type { DataRouter } from "react-router";

type WatchedRouter = Pick<DataRouter, "state" | "subscribe">;

interface Submission {
  form: HTMLFormElement;
  submitter: HTMLElement | null;
  /** The sent fields, to recognise the form. */
  fields: string;
}

/**
 * Lets a form wait while another is being sent: the router ends the request under way when a second one begins, and what
 * the first wanted may not have reached the server, or is done and never said. The same once more, by a double press, is
 * not sent at all.
 *
 * @returns what ends it.
 */
export function sendOneFormAtATime(router: WatchedRouter): () => void {
  let sent: Submission | null = null;
  let waiting: Submission | null = null;

  const onSubmit = (event: SubmitEvent) => {
    const submission = toSubmission(event);
    if (submission === null || event.defaultPrevented) return;
    if (router.state.navigation.state !== "submitting") {
      sent = submission;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isSame(submission, sent)) waiting = submission;
  };
  const unsubscribe = router.subscribe(({ navigation }) => {
    if (navigation.state !== "idle" || waiting === null) return;
    const { form, submitter } = waiting;
    waiting = null;
    // After the page was rendered again: a form that is gone has nothing more to say.
    setTimeout(() => {
      if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null);
    });
  });
  // Before the listeners of React, which stand at the document.
  window.addEventListener("submit", onSubmit, true);
  return () => {
    window.removeEventListener("submit", onSubmit, true);
    unsubscribe();
  };
}

/** Null for what changes nothing: a search, a filter. */
function toSubmission({ target, submitter }: SubmitEvent): Submission | null {
  if (!(target instanceof HTMLFormElement)) return null;
  const method = submitter?.getAttribute("formmethod") ?? target.getAttribute("method") ?? "get";
  if (method.toLowerCase() !== "post") return null;
  const fields = [...new FormData(target, submitter)].map(([name, value]) => [name, String(value)]);
  return { form: target, submitter, fields: JSON.stringify(fields) };
}

function isSame(one: Submission, other: Submission | null): boolean {
  return one.form === other?.form && one.submitter === other.submitter && one.fields === other.fields;
}
