import { pino, stdSerializers, stdTimeFunctions } from "pino";
import { toSourceStack } from "./source-stack.server.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
export type LogFormat = "json" | "text";

/** The log of the server's code: a sentence in the present tense, with facts as fields, and an error as `err`. */
export interface Log {
  debug(facts: object, message: string): void;
  debug(message: string): void;
  info(facts: object, message: string): void;
  info(message: string): void;
  warn(facts: object, message: string): void;
  warn(message: string): void;
  error(facts: object, message: string): void;
  error(message: string): void;
  /** A log whose lines name the part they come from. */
  child(bindings: { part: string }): Log;
}

/** One line per message on standard output: JSON for collectors, or words for people at a terminal. */
export function createLog({ level, format }: { level: LogLevel; format: LogFormat }): Log {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err: toLoggedError } };
  // Synchronous: a line that was logged before a crash is there after it, and lines are few.
  if (format === "json") return pino(options);
  return pino(options, { write: (line: string) => process.stdout.write(toText(line)) });
}

function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const logged = stdSerializers.err(error);
  return { ...logged, stack: toSourceStack(logged.stack) };
}

const KEY = Symbol.for("culprit.log");
type Registry = { [KEY]?: Log };

/** Makes it the process's log: what code in the router's bundle, which has its own copy of this module, logs to. */
export function registerLog(log: Log): void {
  (globalThis as Registry)[KEY] = log;
}

export function requireLog(): Log {
  const registry = globalThis as Registry;
  registry[KEY] ??= createLog({ level: "info", format: "json" });
  return registry[KEY];
}

const LEVEL_NAMES: Record<number, string> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};

/** `12:34:56 info  message  key=value`, with an error's stack on the lines below. */
function toText(line: string): string {
  const { level, time, msg, part, err, ...facts }: Record<string, unknown> = JSON.parse(line);
  const words = [
    String(time).slice(11, 19),
    (LEVEL_NAMES[Number(level)] ?? "").padEnd(5),
    part ? `${part}:` : "",
    String(msg ?? ""),
    ...Object.entries(facts).map(
      ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  ];
  const stack = typeof err === "object" && err !== null && "stack" in err ? `\n${String(err.stack)}` : "";
  return `${words.filter(Boolean).join(" ")}${stack}\n`;
}
