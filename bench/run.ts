// Measures a server as people start it, and prints what it found: `npm run bench -- --help`.
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { VARIANTS } from "./event-kinds.ts";
import { meetsGoal, type Part, type Report, renderFigure } from "./figure.ts";
import { describeMachine, renderMachine } from "./machine.ts";
import { measureAccepts } from "./measure-accepts.ts";
import { measureAlerts } from "./measure-alerts.ts";
import { measureDisk } from "./measure-disk.ts";
import { measureEndToEnd } from "./measure-end-to-end.ts";
import { measureFind } from "./measure-find.ts";
import { measureJavascript } from "./measure-javascript.ts";
import { measureLogs } from "./measure-logs.ts";
import { measureMemory } from "./measure-memory.ts";
import { measureMonitors } from "./measure-monitors.ts";
import { measurePages } from "./measure-pages.ts";
import { measureRestart } from "./measure-restart.ts";
import { measureSignIn } from "./measure-sign-in.ts";
import { measureSignInCost } from "./measure-sign-in-cost.ts";
import { measureSpanLoad } from "./measure-span-load.ts";
import { measureSpans } from "./measure-spans.ts";
import { measureStart } from "./measure-start.ts";
import { measureSymbolication } from "./measure-symbolication.ts";
import { measureTraces } from "./measure-traces.ts";
import { measureVisible } from "./measure-visible.ts";
import type { BenchOptions, Measurement } from "./measurement.ts";

/** In the order in which they run. */
const MEASUREMENTS: readonly Measurement[] = [
  measureAccepts,
  measureEndToEnd,
  measureVisible,
  measureAlerts,
  measureSignIn,
  measureSignInCost,
  measurePages,
  measureFind,
  measureMemory,
  measureMonitors,
  measureDisk,
  measureSpans,
  measureSpanLoad,
  measureLogs,
  measureTraces,
  measureStart,
  measureRestart,
  measureSymbolication,
  measureJavascript,
];

const STORED_EVENTS = 1_000_000;
const QUICK_STORED_EVENTS = 50_000;
const STORED_SIGNALS = 1_000_000;
const QUICK_STORED_SIGNALS = 50_000;
/** When others use more of the machine, the figures say more about them. */
const MAX_OTHERS_SHARE = 0.1;

const HELP = `npm run bench -- [options]
  --only NAMES   only these parts, comma-separated:
${MEASUREMENTS.map(({ name, what }) => `                   ${name.padEnd(9)} ${what}`).join("\n")}
  --variants V   of accepts and e2e only these: ${VARIANTS.join(", ")}
  --quick        shorter runs and fewer stored events, for a first look
  --events N     events stored before page times are measured (${STORED_EVENTS}; ${QUICK_STORED_EVENTS} with --quick)
  --signals N    spans, and log lines, stored before their pages are measured (${STORED_SIGNALS}; ${QUICK_STORED_SIGNALS} with --quick)
  --data DIR     data folder for the page times: filled when it is not yet, and used again by the next run
  --json FILE    the figures as JSON too; compare two such files with: node bench/compare.ts a.json b.json
  --profile DIR  CPU profiles of every thread of the servers; read them with: node bench/summarize-profile.ts FILE
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    variants: { type: "string" },
    quick: { type: "boolean", default: false },
    events: { type: "string" },
    signals: { type: "string" },
    data: { type: "string" },
    json: { type: "string" },
    profile: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const options: BenchOptions = {
  isQuick: values.quick,
  dataDir: values.data === undefined ? null : makeFolder(values.data),
  variants: readVariants(values.variants),
  storedEvents: readCount("--events", values.events) ?? (values.quick ? QUICK_STORED_EVENTS : STORED_EVENTS),
  storedSignals: readCount("--signals", values.signals) ?? (values.quick ? QUICK_STORED_SIGNALS : STORED_SIGNALS),
  profileDir: values.profile === undefined ? null : makeFolder(values.profile),
  say: createSayer(),
};
const machine = describeMachine();
const report: Report = {
  format: "culprit-bench-1",
  startedAt: new Date().toISOString(),
  machine,
  isQuick: values.quick,
  parts: [],
};

// Servers and senders end with this process, and `exit` is what they listen to.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

print(`Culprit's benchmark, ${report.startedAt}${values.quick ? ", quick" : ""}`);
print(`on ${renderMachine(machine)}; sender and server on this machine`);
let failed = 0;
for (const measurement of chooseMeasurements(values.only)) {
  const part = await runPart(measurement);
  if (!part) continue;
  report.parts.push(part);
  // After each part, because a whole run is long.
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
const missed = report.parts.flatMap(({ figures }) => figures).filter((figure) => meetsGoal(figure) === false);
print("");
if (failed > 0) print(`${failed} ${failed === 1 ? "part" : "parts"} could not be measured.`);
if (missed.length > 0) print(`Not met: ${missed.map(({ name }) => name).join(", ")}`);
else if (report.parts.length > 0) print("Every goal that was measured is met.");
process.exit(failed > 0 ? 1 : 0);

async function runPart({ name, what, run }: Measurement): Promise<Part | null> {
  const startedAt = new Date();
  try {
    const { figures, cpu } = await run(options);
    options.say("");
    const seconds = (Date.now() - startedAt.getTime()) / 1000;
    print("");
    print(`${name}: ${what}`);
    print(`  [${renderMachine(machine)}; ${startedAt.toISOString().slice(0, 16).replace("T", " ")} UTC]`);
    for (const figure of figures) print(renderFigure(figure));
    if (cpu && cpu.others > MAX_OTHERS_SHARE) {
      const share = Math.round(cpu.others * 100);
      print(`  Other processes used ${share} % of the machine meanwhile: measure again when it is quiet.`);
    }
    return { name, startedAt: startedAt.toISOString(), seconds, machine, cpu, figures };
  } catch (error) {
    // The other parts may work; the exit code tells.
    failed++;
    options.say("");
    print("");
    print(`${name}: could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return null;
  }
}

function chooseMeasurements(only: string | undefined): readonly Measurement[] {
  if (only === undefined) return MEASUREMENTS;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !MEASUREMENTS.some((each) => each.name === name));
  if (unknown.length > 0) fail(`--only: there is no part called ${unknown.join(", ")}`);
  return MEASUREMENTS.filter(({ name }) => names.includes(name));
}

function readVariants(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !VARIANTS.includes(name));
  if (unknown.length > 0) fail(`--variants: there is no ${unknown.join(", ")}`);
  return names;
}

function readCount(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = Number(text.replaceAll("_", ""));
  if (!Number.isInteger(count) || count < 1) fail(`${option} wants a whole number, not ${text}`);
  return count;
}

function makeFolder(path: string): string {
  const folder = resolve(path);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** On a terminal one line that is written over; nothing elsewhere but to stderr. */
function createSayer(): (text: string) => void {
  if (process.stderr.isTTY) return (text) => process.stderr.write(`\r\x1b[2K${text}`);
  return (text) => {
    if (text !== "") process.stderr.write(`${text}\n`);
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  process.stderr.write(`bench: ${message}\n`);
  process.exit(2);
}
