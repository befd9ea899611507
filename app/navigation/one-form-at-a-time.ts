import type { DataRouter } from "react-router";

type WatchedRouter = Pick<DataRouter, "state" | "subscribe">;

interface Submission {
  form: HTMLFormElement;
  submitter: HTMLElement | null;
  /** The sent fields, by which the form is recognised. */
  fields: string;
}

/**
 * Makes a form wait while another is being sent. The router ends a request under way when a second one begins. Then the first may not have
 * reached the server, or it is done and the page never says so. The same form sent twice by a double press is sent only once.
 * @returns a function that ends this.
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
    // The page has been rendered again by then. A form that is gone is not sent.
    setTimeout(() => {
      if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null);
    });
  });
  // It must run before the listeners of React, which are at the document.
  window.addEventListener("submit", onSubmit, true);
  return () => {
    window.removeEventListener("submit", onSubmit, true);
    unsubscribe();
  };
}

/** Null: the form changes nothing, like a search or a filter. */
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
