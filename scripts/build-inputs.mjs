/**
 * Decides whether the build output is up to date with its inputs. It compares contents, because times change with every copy, checkout and container layer. If the packages for building are not installed, as in production, the output must be up to date.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const HOW =
  'run `npm ci --include=dev`, which builds, and then `npm prune --omit=dev`; or copy dist from the machine where it was built';

/** Files below `folder` whose name `wanted` accepts, in a fixed order, without packages. */
export function filesBelow(folder, wanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .sort();
}

/** One line a file, with its path below `root` and a hash of its contents. */
export function inputLines(root, files) {
  return files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('base64url');
    return `${relative(root, file)}\t${hash}`;
  });
}

/** The packages that cannot be resolved from `folder`. */
export function missingPackages(folder, names) {
  return names.filter((name) => manifestOf(folder, name) === undefined);
}

/** @throws if it is not installed */
export function versionOf(folder, name) {
  return JSON.parse(readFileSync(manifestOf(folder, name), 'utf8')).version;
}

function manifestOf(folder, name) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest)) return manifest;
  return dirname(folder) === folder ? undefined : manifestOf(dirname(folder), name);
}

/**
 * Without the packages `missing` nothing can be built: succeeds if `output` exists and was built from `inputs`.
 * `built` is the record of the last build. @throws with what is missing and what to do
 */
export function requireBuilt({ output, outputName, built, inputs, missing }) {
  const found = !existsSync(output) || built === '' ? 'has not been built' : changeSince(built, inputs);
  if (found === undefined) return;
  const packages = `${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ` and ${missing.length - 3} more` : ''}`;
  throw new Error(
    `${outputName} ${found}, and development packages that build it are missing (${packages}): ${HOW}`,
  );
}

function changeSince(built, inputs) {
  const before = new Map(
    built
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([path = '']) => /[/.]/.test(path)),
  );
  for (const [path, hash] of inputs.map((line) => line.split('\t'))) {
    if (before.get(path) !== hash) return `does not fit ${path}, which changed after the build`;
    before.delete(path);
  }
  const [gone] = before.keys();
  return gone === undefined ? undefined : `does not fit the sources: ${gone} was removed after the build`;
}
