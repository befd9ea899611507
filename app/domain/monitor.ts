/** The status of the run in a check-in. `unknown`: a word that clients do not use. */
const CHECK_IN_STATUSES = ["in_progress", "ok", "error", "unknown"] as const;
export type CheckInStatus = (typeof CHECK_IN_STATUSES)[number];

/**
 * The result of a run. `timeout`: it did not end within the longest allowed time. `missed`: it was due, and no check-in came.
 * `unknown`: it was due, or had to end, while Culprit was down.
 */
const RUN_STATUSES = ["in_progress", "ok", "error", "timeout", "missed", "unknown"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * The state of an environment of a monitor: the result of its last run that ended. `waiting`: no run has ended yet. `late`: the run
 * came after its margin.
 */
export const MONITOR_STATES = ["error", "timeout", "missed", "late", "waiting", "ok"] as const;
export type MonitorState = (typeof MONITOR_STATES)[number];

/** A job whose runs check in. Instants are milliseconds since 1970. */
export interface Monitor {
  id: number;
  projectId: number;
  slug: string;
  /** Null: it has none but its slug. */
  name: string | null;
  /** The last configuration that a check-in contained, or that somebody saved. Null: there is none. */
  config: MonitorConfig | null;
  /** True: nobody is told about its troubles. */
  isMuted: boolean;
  /** Nobody is asked any more whether its job runs by another time zone. */
  keepsZone: boolean;
  createdAt: number;
  /** Sorted by name. */
  environments: MonitorEnvironment[];
}

export interface MonitorEnvironment {
  name: string;
  createdAt: number;
  lastCheckInAt: number;
  lastStatus: CheckInStatus;
  /** The status of the last check-in that was not in progress. Null: there was none. */
  lastFinishedStatus: Exclude<CheckInStatus, "in_progress"> | null;
  /** No check-in is expected. Those that come are stored. */
  isPaused: boolean;
  state: MonitorState;
  /** Null: without a schedule, or paused. */
  nextDueAt: number | null;
  /** Since when its trouble is an issue. Null: it has no trouble. */
  troubleAt: number | null;
}

export const MONITOR_UNITS = ["minute", "hour", "day", "week", "month", "year"] as const;
export type MonitorUnit = (typeof MONITOR_UNITS)[number];

export type MonitorSchedule =
  | { type: "crontab"; value: string }
  | { type: "interval"; value: number; unit: MonitorUnit };

export interface MonitorConfig {
  schedule: MonitorSchedule;
  /** Minutes after the due time in which a check-in is on time. Null: not set, as for the following fields. */
  checkinMargin: number | null;
  /** Minutes. */
  maxRuntime: number | null;
  /** An IANA name. */
  timezone: string | null;
  failureIssueThreshold: number | null;
  recoveryThreshold: number | null;
  /** `user:1` or `team:1`, as it was sent. Absent: nobody. */
  owner?: string | null;
}

/** Defaults for a configuration that leaves a field out. In minutes. */
export const MONITOR_DEFAULTS = {
  checkinMargin: 1,
  maxRuntime: 30,
  timezone: "UTC",
  failureIssueThreshold: 1,
  recoveryThreshold: 1,
} as const;

export const MONITOR_LIMITS = {
  slugChars: 50,
  nameChars: 128,
  scheduleChars: 200,
  timezoneChars: 64,
  /** The longest margin, and the longest run time that can be set. */
  minutes: 40_320,
  threshold: 720,
  outputBytes: 10_240,
} as const;

/** A check-in as it is counted for its monitor. */
export interface CheckIn {
  slug: string;
  environment: string;
  status: CheckInStatus;
  /** Null: it carried none, or none that is valid. */
  config: MonitorConfig | null;
  /** 32 hex characters. Null: the latest run in progress, or a new one. */
  checkInId: string | null;
  durationMs: number | null;
  release: string | null;
  traceId: string | null;
  exitStatus: number | null;
  /** The end of what the job wrote, at most `outputBytes`. */
  output: string | null;
}

/** One run of a job, or one that did not come. */
export interface Run {
  /** Null: it is not stored yet. */
  id: number | null;
  checkInId: string | null;
  status: RunStatus;
  /** The due time that it belongs to. Null: none was near. */
  dueAt: number | null;
  /** When the run started. For a missed run: when it was due. */
  startedAt: number;
  endedAt: number | null;
  durationMs: number | null;
  /** It came after the margin. */
  isLate: boolean;
  release: string | null;
  traceId: string | null;
  exitStatus: number | null;
  output: string | null;
}
