/**
 * How to connect an SDK to Culprit. In code, `DSN`, `LOADER` and `TUNNEL` stand for the project's DSN, the address of its loader
 * script, and the neutral path of this server. `OF_PROJECT_URL` and `OF_PROJECT_KEY` stand for the values that OpenTelemetry
 * exporters need.
 */
export interface Snippets {
  /** Ways to install the SDK. Empty: nothing has to be installed. */
  install: Array<{ label: string; code: string }>;
  /** Files to write, in order. */
  files: Array<{ name: string; code: string }>;
  /** Code that throws an error, to test the connection. */
  verify: string;
  /** How to enable its log lines. Absent: the SDK has no option for them, and mostly sends them anyway. */
  logs?: LogSnippet;
  /** Whether content blockers can stop its reports. If so, the neutral path is shown, too. */
  isBrowser?: boolean;
}

export interface LogSnippet {
  /** The place to add it to, like `In Sentry.init`. */
  place: string;
  option: string;
  /** A line of code that logs. */
  call: string;
}
