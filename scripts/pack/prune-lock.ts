/** A package as npm's lock file (version 3) has it, under its place like `node_modules/a/node_modules/b`. */
export interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean;
  devOptional?: boolean;
  [field: string]: unknown;
}

/**
 * The part of a lock file that the named packages need, with the same versions and places. Optional packages of every platform are kept:
 * npm skips those of other platforms.
 *
 * @throws when a needed package is not locked
 */
export function pruneLock(
  packages: Readonly<Record<string, LockedPackage>>,
  names: readonly string[],
): Record<string, LockedPackage> {
  const places = new Set<string>();
  const need = (name: string, from: string, isOptional: boolean) => {
    const place = findPlace(packages, name, from);
    if (place) places.add(place);
    else if (!isOptional)
      throw new Error(`${from || "the release"} needs ${name}, and package-lock.json does not have it`);
  };
  for (const name of names) need(name, "", false);
  // A loop over a set also visits places that are added meanwhile.
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place] ?? {};
    for (const name of Object.keys(dependencies ?? {})) need(name, place, name in (optionalDependencies ?? {}));
    for (const name of Object.keys(optionalDependencies ?? {})) need(name, place, true);
    for (const name of Object.keys(peerDependencies ?? {})) {
      // npm installs no optional peer by itself.
      if (!peerDependenciesMeta?.[name]?.optional) need(name, place, false);
    }
  }
  return Object.fromEntries(
    [...places].sort().map((place) => {
      const { dev, devOptional, ...locked } = packages[place] ?? {};
      return [place, locked];
    }),
  );
}

/** Finds a package as Node does: in the package's own `node_modules`, then in those of the folders above. */
function findPlace(packages: Readonly<Record<string, LockedPackage>>, name: string, from: string): string | null {
  for (let folder = from; ; ) {
    const place = `${folder}${folder && "/"}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === "") return null;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  }
}
