// The client of the React Router SDK without its framework: what Culprit's own pages do not do, a page of someone else may.
import * as Sentry from "@sentry/react-router";
import { readOptions } from "./read-options.js";

Sentry.init({
  dsn: readOptions().dsn,
  release: "router-app@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: 1,
  integrations: [Sentry.reactRouterTracingIntegration()],
});

const button = document.createElement("button");
button.id = "fail";
button.addEventListener("click", () => {
  try {
    JSON.parse("{oops");
  } catch (error) {
    Sentry.captureException(new Error("the loader failed", { cause: error }));
  }
});
document.body.append(button);
window.sdk = { flush: () => Sentry.flush(5000) };
