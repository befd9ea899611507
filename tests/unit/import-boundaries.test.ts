import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const STORE_INTERFACES = /^app\/stores\/((state|events)\/)?[^/]+$/;
/** What pages, features and the web API get of the server. */
const WORKSPACE = /^app\/access\/workspace\.ts$/;
/** How files are written that survive a power cut. */
const DURABLE_FILE = /^app\/durable-file\.ts$/;

/** Who may import what, first match wins. A part may always import from its own folder. */
const RULES: Array<{ from: RegExp; mayImport: RegExp[]; mayUseNode: boolean; mayUseReact: boolean }> = [
  { from: /^app\/domain\//, mayImport: [], mayUseNode: false, mayUseReact: false },
  { from: /^app\/protocol\//, mayImport: [/^app\/domain\//], mayUseNode: false, mayUseReact: false },
  { from: /^app\/journal\//, mayImport: [/^app\/domain\//, DURABLE_FILE], mayUseNode: true, mayUseReact: false },
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
    mayImport: [/^app\/domain\//, STORE_INTERFACES, /^app\/stores\/sql\//, DURABLE_FILE],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/signals\//,
    // Of the digest, what knows nothing of records and batches.
    mayImport: [/^app\/(domain|protocol|journal)\//, /^app\/digest\/(normalize|scrub|grouping)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/digest\/(normalize|scrub|grouping)\//,
    mayImport: [/^app\/(domain|protocol)\//, /^app\/digest\/(normalize|scrub|grouping)\//],
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
    mayImport: [/^app\/(domain|protocol|journal|signals|symbolicate)\//, STORE_INTERFACES],
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
  { from: /^app\/providers\//, mayImport: [/^app\/(domain|outbound)\//], mayUseNode: true, mayUseReact: false },
  {
    from: /^app\/notifications\//,
    mayImport: [/^app\/(domain|outbound)\//, STORE_INTERFACES],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/metric-monitors\//,
    mayImport: [/^app\/domain\//, STORE_INTERFACES],
    mayUseNode: false,
    mayUseReact: false,
  },
  {
    from: /^app\/jobs\//,
    mayImport: [
      /^app\/access\/server-scope\.ts$/,
      /^app\/(domain|journal|digest|signals|symbolicate|notifications|metric-monitors)\//,
      STORE_INTERFACES,
      /^app\/server\/map-stored-event\.ts$/,
      /^app\/log\.server\.ts$/,
    ],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/backup\//,
    mayImport: [/^app\/(domain|journal|stores|server|control)\//, DURABLE_FILE, /^app\/log\.server\.ts$/],
    mayUseNode: true,
    mayUseReact: false,
  },
  {
    from: /^app\/control\//,
    mayImport: [/^app\/(domain|journal|stores|server|features\/auth)\//, /^app\/log\.server\.ts$/],
    mayUseNode: true,
    mayUseReact: false,
  },
  { from: /^app\/ui\//, mayImport: [], mayUseNode: false, mayUseReact: true },
  {
    from: /^app\/access\//,
    mayImport: [/^app\/(domain|notifications)\//, STORE_INTERFACES, /^app\/server\/engine\.ts$/],
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
      /^app\/(domain|ui|protocol|symbolicate|notifications|metric-monitors|navigation)\//,
      STORE_INTERFACES,
      WORKSPACE,
    ],
    mayUseNode: true,
    mayUseReact: true,
  },
  {
    from: /^app\/web-api\//,
    mayImport: [
      /^app\/(domain|features|symbolicate)\//,
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

const files = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !/\.(test|contract)\.tsx?$|\/fixtures\//.test(file));

describe("import boundaries", () => {
  for (const file of files) {
    const rule = RULES.find((candidate) => candidate.from.test(file));
    if (!rule) continue;
    test(`${file} imports only what its folder may`, () => {
      const folder = rule.from.exec(file)?.[0] ?? "";
      const offences = importsOf(file).filter((specifier) => {
        if (specifier.startsWith("node:")) return !rule.mayUseNode;
        if (!specifier.startsWith(".")) return /^(react|react-dom|react-router)$/.test(specifier) && !rule.mayUseReact;
        const target = relative(root, resolve(root, dirname(file), specifier)).replaceAll("\\", "/");
        if (target.includes("+types/")) return false;
        if (folder.endsWith("/") && target.startsWith(folder)) return false;
        if (!folder.endsWith("/") && dirname(target) === dirname(file)) return false;
        return !rule.mayImport.some((allowed) => allowed.test(target));
      });
      expect(offences).toEqual([]);
    });
  }

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
