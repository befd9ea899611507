// Starts the Node SDK before the server is loaded. The DSN comes from the environment.
import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: "shop-web@1.0.0",
  environment: "sdk-test",
  tracesSampleRate: 1,
  enableLogs: true,
});
