// Reports an error that is larger than events may be, and one that is not. The SDK says on its way out what it lost.
import * as Sentry from "@sentry/node";

Sentry.init({ dsn: process.env.SENTRY_DSN, release: "node-app@1.0.0", environment: "sdk-test" });

Sentry.captureException(new Error("too large"), { extra: { report: "x".repeat(1_500_000) } });
Sentry.captureException(new Error("of the usual size"));
await Sentry.flush(10_000);
