// Where the time of a CPU profile went: `node bench/summarize-profile.ts FILE [--lines 40]`.
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

const root = resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: "string", default: "40" } },
});
const [path] = positionals;
if (!path) {
  process.stderr.write("usage: node bench/summarize-profile.ts FILE.cpuprofile [--lines 40]\n");
  process.exit(2);
}
const lines = Number(values.lines);
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, "utf8")) as Profile;

const selfUs = new Map<number, number>();
samples.forEach((id, index) => {
  selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[index] ?? 0));
});
const byId = new Map(nodes.map((node) => [node.id, node]));
const ofFunction = new Map<string, { selfUs: number; totalUs: number }>();
const ofFolder = new Map<string, number>();
const rootNode = nodes[0];
if (rootNode) addUp(rootNode, []);

const totalUs = [...selfUs.values()].reduce((sum, us) => sum + us, 0);
const idleUs = ofFunction.get("(idle)")?.selfUs ?? 0;
const busyUs = totalUs - idleUs;
print(`${seconds(totalUs)} s, of which ${seconds(busyUs)} s busy; shares are of the busy time`);
print("\nself time by folder or package");
for (const [name, us] of [...ofFolder].sort((a, b) => b[1] - a[1]).slice(0, 20)) print(`${share(us)}  ${name}`);
print("\nself time by function");
const functions = [...ofFunction].filter(([name]) => name !== "(idle)" && name !== "(root)");
for (const [name, { selfUs: us }] of functions.sort((a, b) => b[1].selfUs - a[1].selfUs).slice(0, lines))
  print(`${share(us)}  ${name}`);
print("\ntotal time by function (with what it calls)");
for (const [name, { totalUs: us }] of functions.sort((a, b) => b[1].totalUs - a[1].totalUs).slice(0, lines))
  print(`${share(us)}  ${name}`);

/** Gives the time of the node with everything below it; a function that calls itself counts once. */
function addUp(node: ProfileNode, above: readonly string[]): number {
  const name = nameOf(node);
  const self = selfUs.get(node.id) ?? 0;
  let total = self;
  const stack = [...above, name];
  for (const id of node.children ?? []) {
    const child = byId.get(id);
    if (child) total += addUp(child, stack);
  }
  const entry = ofFunction.get(name) ?? { selfUs: 0, totalUs: 0 };
  entry.selfUs += self;
  if (!above.includes(name)) entry.totalUs += total;
  ofFunction.set(name, entry);
  if (name !== "(idle)") {
    const folder = folderOf(node);
    ofFolder.set(folder, (ofFolder.get(folder) ?? 0) + self);
  }
  return total;
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName || "(anonymous)";
  return url === "" ? name : `${name}  ${shorten(url)}:${lineNumber + 1}`;
}

function folderOf({ callFrame: { functionName, url } }: ProfileNode): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native code";
  if (url.startsWith("node:")) return url.split("/")[0] ?? url;
  const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return (
    packageName ??
    shorten(url)
      .split("/")
      .slice(0, 3)
      .join("/")
      .replace(/\/[^/]+\.\w+$/, "")
  );
}

function shorten(url: string): string {
  return url.startsWith("file:") ? relative(root, fileURLToPath(url)) : url;
}

function share(us: number): string {
  return `${((us / busyUs) * 100).toFixed(1).padStart(5)} %`;
}

function seconds(us: number): string {
  return (us / 1e6).toFixed(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
