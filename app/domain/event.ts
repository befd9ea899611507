/**
 * An event as Culprit keeps it: the Sentry event payload after normalisation. Names are those of the wire, because this
 * is also the JSON that people read and copy. Every field may be absent; lists hold no null; strings are trimmed to the
 * limits that `normalize` documents; anything that was wrong with the original is described in `_meta`.
 */
export interface SentryEvent {
  /** 32 lower-case hex characters. */
  event_id: string;
  type:
    | "error"
    | "default"
    | "csp"
    | "hpkp"
    | "expectct"
    | "expectstaple"
    | "nel"
    | "transaction"
    | "feedback"
    | "generic";
  /** Seconds since 1970, fractional. Always present after normalisation. */
  timestamp: number;
  start_timestamp?: number;
  /** Seconds since 1970, fractional: the server's clock. */
  received: number;
  platform: string;
  level: "debug" | "info" | "warning" | "error" | "fatal";
  logger?: string;
  logentry?: LogEntry;
  transaction?: string;
  transaction_info?: { source?: string };
  server_name?: string;
  release?: string;
  dist?: string;
  environment?: string;
  /** Ordered; keys are unique. Includes those the server adds. */
  tags?: Array<[key: string, value: string]>;
  extra?: Record<string, unknown>;
  modules?: Record<string, string>;
  fingerprint?: string[];
  checksum?: string;
  /** The oldest cause comes first, the exception that was thrown last comes last. */
  exception?: { values: SentryException[] };
  threads?: { values: Thread[] };
  stacktrace?: Stacktrace;
  /** The frames as they were sent, if source maps changed them. */
  raw_stacktrace?: Stacktrace;
  breadcrumbs?: { values: Breadcrumb[] };
  request?: RequestInterface;
  user?: User;
  contexts?: Record<string, Record<string, unknown>>;
  template?: {
    filename?: string;
    abs_path?: string;
    lineno?: number;
    context_line?: string;
    pre_context?: string[];
    post_context?: string[];
  };
  csp?: Record<string, unknown>;
  hpkp?: Record<string, unknown>;
  expectct?: Record<string, unknown>;
  expectstaple?: Record<string, unknown>;
  nel?: Record<string, unknown>;
  debug_meta?: { images?: Array<Record<string, unknown>>; sdk_info?: Record<string, unknown> };
  sdk?: {
    name?: string;
    version?: string;
    integrations?: string[];
    features?: string[];
    packages?: Array<{ name: string; version?: string }>;
    settings?: Record<string, unknown>;
  };
  /** Problems that SDKs and Culprit noticed while processing. */
  errors?: EventError[];
  /** Only in transactions. Kept as it was sent. */
  spans?: unknown[];
  measurements?: Record<string, unknown>;
  /** Mirror tree of the event; the entry of a node is under the key "" (protocol 5.8). */
  _meta?: MetaTree;
}

export interface MetaTree {
  [key: string]: MetaTree | MetaEntry;
}

export interface MetaEntry {
  err?: Array<string | [kind: string, data: Record<string, unknown>]>;
  rem?: Array<[rule: string, type: string, start?: number, end?: number]>;
  /** The original value, if it was small. */
  val?: unknown;
  /** Length of the original, in characters. */
  len?: number;
}

export interface EventError {
  type: string;
  name?: string;
  value?: unknown;
  [key: string]: unknown;
}

export interface LogEntry {
  /** The template, if the SDK sent one. */
  message?: string;
  /** The text as rendered. */
  formatted?: string;
  params?: unknown[] | Record<string, unknown>;
}

export interface SentryException {
  type?: string;
  value?: string;
  module?: string;
  /** As they were sent, if R8 or ProGuard had shortened them. */
  raw_type?: string;
  raw_module?: string;
  thread_id?: string | number;
  stacktrace?: Stacktrace;
  raw_stacktrace?: Stacktrace;
  mechanism?: Mechanism;
}

export interface Mechanism {
  type: string;
  handled?: boolean | null;
  synthetic?: boolean;
  description?: string;
  help_link?: string;
  source?: string;
  exception_id?: number;
  parent_id?: number;
  is_exception_group?: boolean;
  data?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

export interface Stacktrace {
  /** Outermost call first, crash site last. Never empty: an empty stack trace is absent. */
  frames: Frame[];
  registers?: Record<string, unknown>;
  frames_omitted?: [from: number, to: number];
}

export interface Frame {
  filename?: string;
  abs_path?: string;
  module?: string;
  function?: string;
  raw_function?: string;
  package?: string;
  /** 1-based. */
  lineno?: number;
  /** 1-based. */
  colno?: number;
  context_line?: string;
  pre_context?: string[];
  post_context?: string[];
  source_link?: string;
  /** Always decided after normalisation. */
  in_app?: boolean;
  stack_start?: boolean;
  vars?: Record<string, unknown>;
  instruction_addr?: string;
  symbol_addr?: string;
  image_addr?: string;
  addr_mode?: string;
  platform?: string;
  symbol?: string;
  trust?: string;
  lock?: Record<string, unknown>;
  data?: Record<string, unknown>;
  debug_id?: string;
  module_metadata?: unknown;
}

export interface Thread {
  id?: string | number;
  name?: string;
  crashed?: boolean;
  current?: boolean;
  main?: boolean;
  state?: string;
  held_locks?: Record<string, unknown>;
  stacktrace?: Stacktrace;
  raw_stacktrace?: Stacktrace;
}

export interface Breadcrumb {
  /** Seconds since 1970, fractional. */
  timestamp?: number;
  type: string;
  category?: string;
  message?: string;
  data?: Record<string, unknown>;
  level: string;
  event_id?: string;
  origin?: string;
}

export interface RequestInterface {
  /** URL without query and fragment. */
  url?: string;
  method?: string;
  query_string?: Array<[name: string, value: string]>;
  data?: unknown;
  cookies?: Array<[name: string, value: string]>;
  /** Header names in Title-Case. */
  headers?: Array<[name: string, value: string]>;
  env?: Record<string, unknown>;
  fragment?: string;
  inferred_content_type?: string;
  api_target?: string;
  protocol?: string;
  body_size?: number;
}

export interface User {
  id?: string;
  email?: string;
  username?: string;
  name?: string;
  ip_address?: string;
  geo?: Record<string, unknown>;
  data?: Record<string, unknown>;
}
