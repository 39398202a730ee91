/** Lists the packages that run in production, from package-lock.json: the dependencies of the service and theirs, without those of the build. */

/**
 * Paths of packages in the lockfile, sorted by name. `binaryOf`: the package for which this package is the binary for
 * a platform, so it may not be installed here.
 */
export function productionPackages(lock) {
  const found = new Map();

  function visit(path, binaryOf) {
    if (found.has(path)) return;
    found.set(path, { path, binaryOf });
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      lock.packages[path];
    for (const name of Object.keys(dependencies ?? {})) visit(locate(path, name));
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const at = locate(path, name);
      visit(at, lock.packages[at].os === undefined ? undefined : path);
    }
    for (const name of Object.keys(peerDependencies ?? {}))
      if (peerDependenciesMeta?.[name]?.optional !== true) visit(locate(path, name));
  }

  /** In the order in which Node.js looks for it. */
  function locate(from, name) {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (lock.packages[path] !== undefined) return path;
      if (at === '') throw new Error(`package-lock.json has no ${name} for ${from}`);
    }
  }

  for (const name of Object.keys(lock.packages[''].dependencies)) visit(`node_modules/${name}`);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
