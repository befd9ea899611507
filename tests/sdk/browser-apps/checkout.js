// A page on which one pays, reporting by the client of the React Router SDK: what its server answers has no payment in it.
import * as Sentry from "@sentry/react-router";
import { readOptions } from "./read-options.js";

Sentry.init({
  dsn: readOptions().dsn,
  release: "checkout@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: 1,
  integrations: [Sentry.reactRouterTracingIntegration()],
});

async function pay() {
  const answer = await fetch("/api/checkout", { method: "POST" });
  const { payment } = await answer.json();
  document.title = `Paid ${payment.id}`;
}

const button = document.createElement("button");
button.id = "pay";
button.textContent = "Pay €129.90";
button.addEventListener("click", () => Sentry.startSpan({ name: "Pay €129.90", op: "ui.action.click" }, pay));
document.body.append(button);
window.sdk = { flush: () => Sentry.flush(5000) };
