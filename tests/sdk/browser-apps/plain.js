// A page that fails, reporting by the browser SDK: everything that the SDK sends of a page can be brought about by a button.
import * as Sentry from "@sentry/browser";
import { readOptions } from "./read-options.js";

const options = readOptions();

Sentry.init({
  dsn: options.dsn,
  release: "browser-app@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: options.isBare ? 0 : 1,
  enableLogs: true,
  replaysSessionSampleRate: options.isBare ? 0 : 1,
  transportOptions: { headers: options.headers },
  // Bare: errors and messages only, so that a test can count requests.
  integrations: (defaults) =>
    options.isBare
      ? defaults.filter(({ name }) => name !== "BrowserSession")
      : [...defaults, Sentry.browserTracingIntegration(), Sentry.replayIntegration()],
});
Sentry.setUser({ id: 4711, email: "ada@example.com" });
Sentry.setTag("plan", "pro");
Sentry.addBreadcrumb({ category: "cart", message: "checkout pressed" });

function total(cart) {
  return cart.items.length - cart.discount.amount;
}

const actions = {
  fail: () => total({ items: [1] }),
  reject: () => {
    void Promise.reject(new Error("payment was refused"));
  },
  message: () => Sentry.captureMessage(`browser says hello ${document.querySelectorAll("button").length}`, "warning"),
  feedback: () =>
    Sentry.captureFeedback({
      name: "Ada",
      email: "ada@example.com",
      message: "The total is wrong.",
      url: location.href,
    }),
  log: () => Sentry.logger.info("cart is checked out", { cart: 7 }),
  fetch: () => fetch("/cart.json"),
};
for (const [name, act] of Object.entries(actions)) {
  const button = document.createElement("button");
  button.id = name;
  button.textContent = name;
  button.addEventListener("click", act);
  document.body.append(button);
}

window.sdk = {
  capture: (text) => Sentry.captureMessage(text),
  async flush() {
    await Sentry.getReplay()?.flush();
    return Sentry.flush(5000);
  },
};
