// Reports one error by the Node SDK and ends. The DSN comes from the environment.
import * as Sentry from "@sentry/node";

Sentry.init({ dsn: process.env.SENTRY_DSN, release: "failing-app@1.0.0", environment: "e2e" });

function openDrawer(register) {
  return register.drawer.open();
}

try {
  openDrawer({});
} catch (error) {
  Sentry.captureException(error);
}
if (!(await Sentry.flush(10_000))) process.exitCode = 1;
