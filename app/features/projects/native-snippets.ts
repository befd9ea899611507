import type { PlatformId } from "./platforms.ts";
import type { Snippets } from "./snippets.ts";

type NativeId = Extract<PlatformId, "native" | "android" | "apple" | "electron">;

/** The snippets of programs that are installed on a device. */
export const NATIVE_SNIPPETS: Record<NativeId, Snippets> = {
  native: {
    install: [
      {
        label: "CMake: inproc names the functions of a crash; Crashpad and Breakpad send its memory as a minidump",
        code: `cmake -B build -D SENTRY_BACKEND=inproc -D CMAKE_BUILD_TYPE=RelWithDebInfo
cmake --build build --parallel
cmake --install build`,
      },
    ],
    files: [
      {
        name: "main.c",
        code: `#include <sentry.h>

int main(void) {
  sentry_options_t *options = sentry_options_new();
  sentry_options_set_dsn(options, "DSN");
  sentry_options_set_release(options, "my-app@1.0.0");
  sentry_options_set_environment(options, "production");
  sentry_options_set_database_path(options, ".sentry-native");
  sentry_init(options);

  // your program; what crashed is sent at the next start

  sentry_close();
}`,
      },
    ],
    verify: `sentry_capture_event(sentry_value_new_message_event(SENTRY_LEVEL_ERROR, "shop", "Hello, Culprit"));`,
    logs: {
      place: "Before sentry_init",
      option: "sentry_options_set_enable_logs(options, 1);",
      call: `sentry_log_info("Hello, logs");`,
    },
  },
  android: {
    install: [{ label: "Gradle", code: "implementation 'io.sentry:sentry-android:8.+'" }],
    files: [
      {
        name: "AndroidManifest.xml, in <application>",
        code: `<meta-data android:name="io.sentry.dsn" android:value="DSN" />
<meta-data android:name="io.sentry.environment" android:value="production" />
<!-- One trace in five; the release is that of the app -->
<meta-data android:name="io.sentry.traces.sample-rate" android:value="0.2" />`,
      },
    ],
    verify: `throw RuntimeException("Hello, Culprit")`,
    logs: {
      place: "In <application>",
      option: `<meta-data android:name="io.sentry.logs.enabled" android:value="true" />`,
      call: `Sentry.logger().info("Hello, logs")`,
    },
  },
  apple: {
    install: [{ label: "CocoaPods", code: "pod 'Sentry'" }],
    files: [
      {
        name: "At the start of the app",
        code: `import Sentry

SentrySDK.start { options in
    options.dsn = "DSN"
    options.environment = "production"
    options.tracesSampleRate = 0.2 // one trace in five; the release is that of the app
}`,
      },
    ],
    verify: `SentrySDK.capture(message: "Hello, Culprit")`,
    logs: {
      place: "In SentrySDK.start",
      option: "options.enableLogs = true",
      call: `SentrySDK.logger.info("Hello, logs")`,
    },
  },
  electron: {
    install: [{ label: "npm", code: "npm install @sentry/electron" }],
    files: [
      {
        name: "First in the main process",
        code: `import * as Sentry from "@sentry/electron/main";

Sentry.init({
  dsn: "DSN",
  environment: "production",
  tracesSampleRate: 0.2, // one trace in five; the release is that of the app
});`,
      },
      {
        name: "First in each renderer",
        code: `import * as Sentry from "@sentry/electron/renderer";

Sentry.init();`,
      },
    ],
    verify: `throw new Error("Hello, Culprit");`,
    logs: {
      place: "In Sentry.init of the main process",
      option: "enableLogs: true,",
      call: `Sentry.logger.info("Hello, logs");`,
    },
  },
};
