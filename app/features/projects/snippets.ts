/**
 * How an SDK is pointed at Culprit. In code, `DSN`, `LOADER` and `TUNNEL` stand for the project's DSN, the address of its loader
 * script, and the neutral path of this server; `OF_PROJECT_URL` and `OF_PROJECT_KEY` for what exporters of OpenTelemetry need.
 */
export interface Snippets {
  /** Ways of installing the SDK; none where nothing is installed. */
  install: Array<{ label: string; code: string }>;
  /** Files to write, in order. */
  files: Array<{ name: string; code: string }>;
  /** Code that throws, to see the first event arrive. */
  verify: string;
  /** How its log lines are switched on. Absent: the SDK has no option for it, and mostly sends them anyway. */
  logs?: LogSnippet;
  /** Whether content blockers can stop its reports: then the neutral path is shown, too. */
  isBrowser?: boolean;
}

export interface LogSnippet {
  /** What it is added to, like `In Sentry.init`. */
  place: string;
  option: string;
  /** A line of code that logs. */
  call: string;
}
