import type { Config } from "@react-router/dev/config";
import { sentryOnBuildEnd } from "@sentry/react-router";

export default { buildEnd: sentryOnBuildEnd } satisfies Config;
