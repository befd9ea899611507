/** The status of the run in a check-in. `unknown`: a word that clients do not use. */
export const CHECK_IN_STATUSES = ["in_progress", "ok", "error", "unknown"] as const;
export type CheckInStatus = (typeof CHECK_IN_STATUSES)[number];

/** A job whose runs check in. Instants are milliseconds since 1970. */
export interface Monitor {
  id: number;
  projectId: number;
  slug: string;
  /** The last one that a check-in carried; null: none has. */
  config: MonitorConfig | null;
  createdAt: number;
  /** By name. */
  environments: MonitorEnvironment[];
}

export interface MonitorEnvironment {
  name: string;
  createdAt: number;
  lastCheckInAt: number;
  lastStatus: CheckInStatus;
  /** The status of the last check-in that was not in progress; null: there was none. */
  lastFinishedStatus: Exclude<CheckInStatus, "in_progress"> | null;
}

export const MONITOR_UNITS = ["minute", "hour", "day", "week", "month", "year"] as const;
export type MonitorUnit = (typeof MONITOR_UNITS)[number];

export interface MonitorConfig {
  schedule: { type: "crontab"; value: string } | { type: "interval"; value: number; unit: MonitorUnit };
  /** Minutes; null: not said. So for the next. */
  checkinMargin: number | null;
  maxRuntime: number | null;
  timezone: string | null;
  failureIssueThreshold: number | null;
  recoveryThreshold: number | null;
}

/** A check-in as it is counted for its monitor. */
export interface CheckIn {
  slug: string;
  environment: string;
  status: CheckInStatus;
  /** Null: it carried none, or none that is valid. */
  config: MonitorConfig | null;
}
