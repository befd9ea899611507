// A small application that fails, reporting by the Node SDK. The DSN comes from the environment.
import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: "node-app@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: 1,
  enableLogs: true,
});

function total(cart) {
  return cart.items.length - cart.discount.amount;
}

Sentry.setUser({ id: 4711, email: "ada@example.com" });
Sentry.setTag("plan", "pro");
Sentry.addBreadcrumb({ category: "cart", message: "checkout pressed" });
Sentry.logger.info("cart is checked out", { cart: 7 });

Sentry.startSpan({ name: "checkout", op: "task" }, () => {
  Sentry.startSpan({ name: "SELECT 1", op: "db.query" }, () => undefined);
  try {
    total({ items: [1] });
  } catch (error) {
    const associatedEventId = Sentry.captureException(new Error("checkout failed", { cause: error }), {
      extra: { apiKey: "sk-123", big: "x".repeat(60_000) },
    });
    Sentry.captureFeedback({
      message: "I could not pay.",
      name: "Ada",
      email: "ada@example.com",
      associatedEventId,
    });
  }
});
Sentry.captureMessage("node says hello", "warning");
Sentry.captureCheckIn({ monitorSlug: "nightly", status: "ok" });
await Sentry.flush(10_000);
// Ends the process by an error that nobody catches: the SDK must report it on the way out.
setTimeout(() => total({ items: [] }), 10);
