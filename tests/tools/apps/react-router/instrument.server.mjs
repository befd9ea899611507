import * as Sentry from "@sentry/react-router";

Sentry.init({ dsn: process.env.SENTRY_DSN, release: "storefront@1.2.0", environment: "production" });
