import { reactRouter } from "@react-router/dev/vite";
import { type SentryReactRouterBuildOptions, sentryReactRouter } from "@sentry/react-router";
import { defineConfig } from "vite";

// URL, organization, project and token come from the environment.
const sentryConfig: SentryReactRouterBuildOptions = {
  release: { name: "storefront@1.2.0", deploy: { env: "production" } },
};

export default defineConfig((config) => ({
  plugins: [reactRouter(), sentryReactRouter(sentryConfig, config)],
}));
