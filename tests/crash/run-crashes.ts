import { crashServer, describeReport } from "./crash-server.ts";

// node tests/crash/run-crashes.ts [count] [seed]: the crash test as often as one likes. `npm run build` comes first.

const killCount = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isInteger(killCount) || killCount < 1 || !Number.isInteger(seed)) {
  console.error("usage: node tests/crash/run-crashes.ts [count] [seed]");
  process.exit(2);
}
console.log(`seed ${seed}`);
const report = await crashServer({ killCount, seed, say: console.log });
console.log(describeReport(report));
for (const contradiction of report.contradictions) console.error(`wrong: ${contradiction}`);
process.exitCode = report.contradictions.length === 0 ? 0 : 1;
