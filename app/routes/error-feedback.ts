import { data, redirect } from "react-router";
import { clientAddressContext, entranceContext } from "../context.ts";
import { toEventId } from "../features/events/event-id.ts";
import { createFeedbackLimit } from "../features/frame/feedback-limit.ts";
import { findMonitoring } from "../sentry/monitoring.server.ts";
import type { Route } from "./+types/error-feedback.ts";

const MAX_MESSAGE_LENGTH = 4096;

const limit = createFeedbackLimit();

export function loader() {
  throw redirect("/issues");
}

/** Takes feedback about a broken page. Open to people who are not signed in: their pages can break too. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const message = String(form.get("message") ?? "")
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH);
  const page = String(form.get("page") ?? "");
  if (message === "") throw data("Write what you were doing before sending it.", { status: 400 });
  const retryAfterSeconds = limit.count(context.get(clientAddressContext), performance.now());
  if (retryAfterSeconds > 0) {
    throw data("Too many reports were sent from here. Send it again later.", {
      status: 429,
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
  const { publicUrl } = context.get(entranceContext).settings;
  findMonitoring()?.captureFeedback({
    message,
    eventId: toEventId(String(form.get("eventId") ?? "")),
    url: (publicUrl ?? url.origin) + (page.startsWith("/") ? page.slice(0, 2000) : "/"),
  });
  return redirect("/issues", 303);
}
