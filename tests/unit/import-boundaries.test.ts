import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const STORE_INTERFACES = /^app\/stores\/((state|events)\/)?[^/]+$/;
/** What pages, features and the web API get of the server. */
const WORKSPACE = /^app\/access\/workspace\.ts$/;
/** How files are written that survive a power cut, and what is done about those that are missing. */
const FILES = /^app\/(durable|missing)-file\.ts$/;
const LOG = /^app\/log\.server\.ts$/;
const YIELD_PROCESSOR = /^app\/yield-processor\.ts$/;
/** What becomes of one event, as pure functions: nothing in them knows of records, batches or stores. */
const EVENT_PARTS = /^app\/(normalize|scrub|grouping)\//;

/** Who may import what, first match wins. A part may always import from its own folder. */
const RULES: Array<{ from: RegExp; mayImport: RegExp[]; mayUseNode: boolean; mayUseReact: boolean }> = [
  { from: /^app\/domain\//, mayImport: [], mayUseNode: false, mayUseReact: false },
  { from: /^app\/protocol\//, mayImport: [/^app\/domain\//], mayUseNode: false, mayUseReact: false },
  { from: /^app\/journal\//, mayImport: [/^app\/domain\//, FILES], mayUseNode: true, mayUseReact: false },
  // Interfaces: files beside the engines' folders, `state/`, where each noun of the state has one, and `events/`, where each signal has.
  {
    from: STORE_INTERFACES,
    mayImport: [/^app\/domain\//, STORE_INTERFACES],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/stores\/[^/]+\//,
    // `sql` is no engine: it is what those have in common that are asked in SQL.
    mayImport: [/^app\/domain\//, STORE_INTERFACES, /^app\/stores\/sql\//, FILES],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/signals\//,
    mayImport: [/^app\/(domain|protocol|journal)\//, EVENT_PARTS, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: EVENT_PARTS,
    mayImport: [/^app\/(domain|protocol|normalize)\//],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/ingest\//,
    mayImport: [/^app\/(domain|protocol|journal|signals)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/digest\//,
    mayImport: [
      /^app\/(domain|protocol|journal|signals|symbolicate)\//,
      EVENT_PARTS,
      STORE_INTERFACES,
      YIELD_PROCESSOR,
    ],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/symbolicate\//,
    mayImport: [/^app\/(domain|protocol)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  { from: /^app\/browser-sdk\//, mayImport: [/^app\/domain\//], mayUseNode: true, mayUseReact: false },
  { from: /^app\/outbound\//, mayImport: [], mayUseNode: true, mayUseReact: false },
  { from: /^app\/uptime\//, mayImport: [/^app\/(domain|outbound)\//], mayUseNode: true, mayUseReact: false },
  // The second process, which `scripts/location.ts` puts together.
  {
    from: /^app\/location\//,
    mayImport: [/^app\/domain\//, /^app\/config-variable\.server\.ts$/, LOG],
    mayUseNode: true,
    mayUseReact: false,
  },
  { from: /^app\/providers\//, mayImport: [/^app\/(domain|outbound)\//], mayUseNode: true, mayUseReact: false },
  {
    from: /^app\/notifications\//,
    mayImport: [/^app\/(domain|outbound)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  // Shared by jobs and features, as the next one is.
  {
    from: /^app\/ownership\//,
    mayImport: [/^app\/domain\//, STORE_INTERFACES],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/metric-monitors\//,
    mayImport: [/^app\/domain\//, STORE_INTERFACES],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/rehearsal\//,
    mayImport: [/^app\/domain\//, STORE_INTERFACES],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/jobs\//,
    mayImport: [
      /^app\/access\/server-scope\.ts$/,
      /^app\/(domain|journal|digest|signals|symbolicate|notifications|metric-monitors|ownership|rehearsal)\//,
      EVENT_PARTS,
      STORE_INTERFACES,
      LOG,
    ],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/data-folder\//,
    mayImport: [/^app\/(domain|journal|stores)\//, FILES, LOG],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/backup\//,
    mayImport: [/^app\/(domain|journal|stores|data-folder|control)\//, FILES, LOG],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/control\//,
    mayImport: [/^app\/(domain|journal|stores|data-folder|features\/auth)\//, FILES, LOG],
    mayUseNode: true,
    mayUseReact: false,
  },
  { from: /^app\/ui\//, mayImport: [], mayUseNode: false, mayUseReact: true },
  {
    from: /^app\/access\//,
    mayImport: [/^app\/(domain|notifications)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  { from: /^app\/navigation\//, mayImport: [/^app\/domain\//], mayUseNode: false, mayUseReact: true },
  {
    from: /^app\/sentry\//,
    mayImport: [/^app\/(domain|protocol|navigation)\//, LOG],
    mayUseNode: true,
    mayUseReact: true,
  },
  // A thread of its own, which belongs to no page.
  {
    from: /^app\/features\/auth\/password-worker\.ts$/,
    mayImport: [/^app\/features\/auth\//, YIELD_PROCESSOR],
    mayUseNode: true,
    mayUseReact: false,
  },
  // Components get values, never a store.
  {
    from: /^app\/features\/(?=.*\.tsx$)/,
    mayImport: [/^app\/(features|domain|ui|protocol|symbolicate|navigation)\//],
    mayUseNode: false,
    mayUseReact: true,
  },
  {
    from: /^app\/features\//,
    mayImport: [
      /^app\/(domain|ui|protocol|symbolicate|notifications|metric-monitors|ownership|rehearsal|navigation)\//,
      STORE_INTERFACES,
      WORKSPACE,
    ],
    mayUseNode: true,
    mayUseReact: true,
  },
  {
    from: /^app\/web-api\//,
    mayImport: [
      /^app\/(domain|features|symbolicate|ownership)\//,
      STORE_INTERFACES,
      WORKSPACE,
      /^app\/access\/enter\.server\.ts$/,
      /^app\/sentry\/report-fault\.server\.ts$/,
    ],
    mayUseNode: true,
    mayUseReact: false,
  },
  // The web API has one way in.
  {
    from: /^app\/routes\/api\//,
    mayImport: [/^app\/web-api\/handle-request\.server\.ts$/, /^app\/context\.ts$/],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/routes\//,
    mayImport: [/^app\/(features|ui|domain|navigation|sentry)\//, /^app\/context\.ts$/, WORKSPACE],
    mayUseNode: false,
    mayUseReact: true,
  },
];

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1] as string);
}

function resolveImport(file: string, specifier: string): string {
  return relative(root, resolve(root, dirname(file), specifier)).replaceAll("\\", "/");
}

const files = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !/\.(test|contract)\.tsx?$|\/fixtures\//.test(file));

const known = new Set(files);

function listImported(file: string): Set<string> {
  const targets = importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith(".")) return [];
    const target = resolveImport(file, specifier);
    return [target, `${target}.ts`, `${target}.tsx`].filter((name) => known.has(name) && name !== file);
  });
  return new Set(targets);
}

/** Null: a file beside the folders. Engines are folders of their own, and the interfaces beside them are another. */
function folderOf(file: string): string | null {
  if (STORE_INTERFACES.test(file)) return "app/stores";
  return /^app\/(stores\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? null;
}

/** Each circle as the sorted names of its members (Tarjan's strongly connected components). */
function findCircles(imported: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  function visit(name: string): void {
    order.set(name, order.size);
    lowest.set(name, order.get(name) as number);
    stack.push(name);
    for (const target of imported.get(name) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(name, Math.min(low(name), low(target)));
    }
    if (low(name) !== order.get(name)) return;
    const circle = stack.splice(stack.indexOf(name));
    if (circle.length > 1) circles.push(circle.sort());
  }
  const low = (name: string) => lowest.get(name) as number;
  for (const name of imported.keys()) if (!order.has(name)) visit(name);
  return circles;
}

describe("import boundaries", () => {
  for (const file of files) {
    const rule = RULES.find((candidate) => candidate.from.test(file));
    if (!rule) continue;
    test(`${file} imports only what its folder may`, () => {
      const folder = rule.from.exec(file)?.[0] ?? "";
      const offences = importsOf(file).filter((specifier) => {
        if (specifier.startsWith("node:")) return !rule.mayUseNode;
        if (!specifier.startsWith(".")) return /^(react|react-dom|react-router)$/.test(specifier) && !rule.mayUseReact;
        const target = resolveImport(file, specifier);
        if (target.includes("+types/")) return false;
        if (folder.endsWith("/") && target.startsWith(folder)) return false;
        if (!folder.endsWith("/") && dirname(target) === dirname(file)) return false;
        return !rule.mayImport.some((allowed) => allowed.test(target));
      });
      expect(offences).toEqual([]);
    });
  }

  test("every folder has a rule; what runs the server may import all that it composes", () => {
    const free = /^app\/(server\/.*|[^/]+)$/;
    expect(files.filter((file) => !free.test(file) && !RULES.some(({ from }) => from.test(file)))).toEqual([]);
    const importers = files.filter((file) =>
      importsOf(file).some(
        (specifier) => specifier.startsWith(".") && /^app\/server\//.test(resolveImport(file, specifier)),
      ),
    );
    expect(importers.filter((file) => !/^app\/server\//.test(file))).toEqual([]);
  });

  test("no files import each other in a circle, types included", () => {
    expect(findCircles(new Map(files.map((file) => [file, listImported(file)])))).toEqual([]);
  });

  test("no folders import each other in a circle", () => {
    const imported = new Map<string, Set<string>>();
    for (const file of files) {
      const folder = folderOf(file);
      if (folder === null) continue;
      const targets = imported.get(folder) ?? new Set();
      for (const target of listImported(file)) {
        const other = folderOf(target);
        if (other !== null && other !== folder) targets.add(other);
      }
      imported.set(folder, targets);
    }
    expect(findCircles(imported)).toEqual([]);
  });

  test("only access makes a scope; everybody else narrows one", () => {
    const makers = files.filter((file) => /\bmakeScope\b/.test(readFileSync(join(root, file), "utf8")));
    expect(
      makers.filter(
        (file) => !/^app\/(domain\/scope\.ts$|access\/|stores\/[^/]+\/(contract\/)?fixture\.ts$)/.test(file),
      ),
    ).toEqual([]);
    const servers = files.filter((file) => /\bscopeOfServer\b/.test(readFileSync(join(root, file), "utf8")));
    expect(servers.filter((file) => !/^app\/(access|server|jobs)\//.test(file))).toEqual([]);
  });

  test("nothing imports the composition root", () => {
    const importers = files.filter((file) =>
      importsOf(file).some((specifier) => specifier.startsWith(".") && /\/server(\.ts)?$/.test(specifier)),
    );
    expect(importers).toEqual([]);
  });
});
