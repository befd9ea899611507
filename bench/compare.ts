// Ratios of two reports: `node bench/compare.ts before.json after.json`.
import { readFileSync } from "node:fs";
import { type Figure, formatNumber, formatValue, type Report } from "./figure.ts";
import { renderMachine } from "./machine.ts";

/** Runs on one machine differ by so much by themselves. */
const NOISE = 0.05;

const [beforePath, afterPath] = process.argv.slice(2);
if (!beforePath || !afterPath) {
  process.stderr.write("usage: node bench/compare.ts before.json after.json\n");
  process.exit(2);
}
const before = readReport(beforePath);
const after = readReport(afterPath);
if (renderMachine(before.machine) !== renderMachine(after.machine)) {
  print("These reports are of different machines: ratios say little.");
  print(`  before: ${renderMachine(before.machine)}`);
  print(`  after:  ${renderMachine(after.machine)}`);
}
if (before.isQuick !== after.isQuick) print("One of these reports is of a quick run.");
const figuresBefore = new Map(listFigures(before).map((figure) => [figure.name, figure]));
for (const figure of listFigures(after)) {
  const old = figuresBefore.get(figure.name);
  if (old) print(renderRatio(old, figure));
}

function renderRatio(old: Figure, { name, value, unit, better }: Figure): string {
  const ratio = value / old.value;
  const isBetter = better === "higher" ? ratio > 1 + NOISE : ratio < 1 - NOISE;
  const isWorse = better === "higher" ? ratio < 1 - NOISE : ratio > 1 + NOISE;
  const verdict = isBetter ? "better" : isWorse ? "WORSE" : "";
  const values = `${formatValue(old.value, unit).padStart(12)} → ${formatValue(value, unit).padEnd(12)}`;
  return `${name.padEnd(30)} ${values} ${`×${formatNumber(ratio)}`.padStart(8)}  ${verdict}`.trimEnd();
}

function listFigures({ parts }: Report): Figure[] {
  return parts.flatMap(({ figures }) => figures);
}

function readReport(path: string): Report {
  const report = JSON.parse(readFileSync(path, "utf8")) as Report;
  if (report.format !== "culprit-bench-1") {
    process.stderr.write(`${path} is no report of this benchmark\n`);
    process.exit(2);
  }
  return report;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
