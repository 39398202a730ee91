// Prepares a release: sets the version in every file that contains it, makes the fixture of its schema, reports whether a version is to be published, and prints its notes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOptions } from './read-options.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** Files that contain the version, each with the text around it. */
const CARRIERS = [
  ['package.json', /("version": ")[^"]+/],
  ['Dockerfile', /(ARG VERSION=).+/],
  ['deploy/kubernetes/kustomization.yaml', /(newTag: ).+/],
  ['deploy/helm/gatehouse/Chart.yaml', /(\nversion: ).+/],
  ['deploy/helm/gatehouse/Chart.yaml', /(\nappVersion: ).+/],
  ['clients/python/pyproject.toml', /(\nversion = ")[^"]+/],
  ['clients/ruby/lib/gatehouse/version.rb', /(VERSION = ")[^"]+/],
];
/** The path of the Go module until the repository has its address. */
const GO_MODULE = 'gatehouse.example/gatehouse';
const GO_FILES = ['clients/go/go.mod', 'clients/go/README.md', 'clients/go/internal/vectors/main.go'];
const FIXTURES = 'test/fixtures/releases';
const steps = {
  version() {
    run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version']);
    const version = versionOf('deploy/npm/package.json');
    if (version === versionOf('package.json')) throw new Error('.changeset has no change that waits');
    for (const [name, place] of CARRIERS)
      edit(name, (text) => replaceOnce(name, text, place, `$1${version}`));
    edit('CHANGELOG.md', (text) =>
      replaceOnce('CHANGELOG.md', text, /^## Unreleased$/m, `## Unreleased\n\n## ${version}, ${today()}`),
    );
    run('npm', ['install', '--package-lock-only', '--ignore-scripts']);
  },
  /** The places that must name where the repository is: a module of Go is found by its path, an image by its registry. */
  address({ repository: address }) {
    if (!/^github\.com\/[\w.-]+\/[\w.-]+$/.test(address))
      throw new Error('say where the repository is: --repository github.com/OWNER/NAME');
    for (const name of GO_FILES)
      edit(name, (text) => replaceEach(name, text, GO_MODULE, `${address}/clients/go`));
    const image = `ghcr.io/${address.slice('github.com/'.length).toLowerCase()}`;
    edit('deploy/helm/gatehouse/values.yaml', (text) =>
      replaceOnce('values.yaml', text, /(\n {2}repository: ).+/, `$1${image}`),
    );
    edit('deploy/kubernetes/kustomization.yaml', (text) =>
      replaceOnce('kustomization.yaml', text, /(newName: ).+/, `$1${image}`),
    );
  },
  /** An installation made by this version. Every later version must be able to open it. */
  fixture() {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.fixture.config.ts'];
    execFileSync(process.execPath, vitest, { cwd: ROOT, stdio: 'inherit' });
    process.stdout.write(`commit ${FIXTURES}/${versionOf('package.json')}\n`);
  },
  /** Lines for a workflow's outputs. */
  next() {
    const version = versionOf('package.json');
    const isTagged = run('git', ['tag', '--list', `v${version}`]).trim() !== '';
    const isDue = !isTagged && isDated(version);
    if (isDue && !doChangesWait()) requireFixture(version);
    process.stdout.write(`version=${version}\nrelease=${isDue}\n`);
  },
  notes() {
    const version = versionOf('package.json');
    const sections = read('CHANGELOG.md').split(/^(?=## )/m);
    const section = sections.find((text) => text.startsWith(`## ${version},`));
    if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
    process.stdout.write(section.replace(/^.*\n+/, ''));
  },
  /** Packages that are shipped, without development tools. */
  sbom() {
    const kind = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
    const [all, shipped] = [[], ['--omit=dev']].map((less) =>
      JSON.parse(execFileSync('npm', ['sbom', ...kind, ...less], { cwd: ROOT })),
    );
    const refs = new Set(shipped.components.map((component) => component['bom-ref']));
    // npm leaves out what development packages need, too.
    for (const [path, { dev, devOptional, optional, version }] of Object.entries(
      JSON.parse(read('package-lock.json')).packages,
    ))
      if (!dev && !devOptional && !optional) refs.add(`${path.replace(/^.*node_modules\//, '')}@${version}`);
    const components = all.components.filter((component) => refs.has(component['bom-ref']));
    const dependencies = all.dependencies
      .filter(({ ref }) => refs.has(ref) || ref === all.metadata.component['bom-ref'])
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
    process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
  },
};

const { positionals, values } = readOptions(
  'node scripts/release.mjs version|address|fixture|next|notes|sbom\n' +
    '  version   collects .changeset and sets the next version everywhere (needs @changesets/cli and Node.js 22)\n' +
    '  address   --repository github.com/OWNER/NAME: writes it into the module of Go, the chart and the manifests, once\n' +
    '  fixture   makes the installation of this version that later versions are tested to upgrade (needs pg_dump)\n' +
    '  next      says whether to publish the version: it has a date in CHANGELOG.md, and no tag\n' +
    '  notes     prints the section of CHANGELOG.md about the version\n' +
    '  sbom      prints the bill of materials of what is shipped (CycloneDX)',
  { words: Object.keys(steps), options: { repository: { type: 'string', default: '' } } },
);
try {
  const step = steps[positionals[0]];
  if (step === undefined)
    throw new Error('say version, address, fixture, next, notes or sbom; --help shows the usage');
  step(values);
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

/** A section without a date says that somebody has yet to decide when it is published. */
function isDated(version) {
  return new RegExp(`^## ${version}, \\d{4}-\\d{2}-\\d{2}$`, 'm').test(read('CHANGELOG.md'));
}

/** Before the fixture is made, migrations may be added that are in the next version but in no fixture. */
function doChangesWait() {
  return readdirSync(join(ROOT, '.changeset')).some((name) => /^(?!README).*\.md$/.test(name));
}

/** @throws unless the fixture of the version has exactly the migrations of the code */
function requireFixture(version) {
  const file = `${FIXTURES}/${version}/fixture.json`;
  const known = existsSync(join(ROOT, file)) ? JSON.parse(read(file)).migrations : {};
  for (const store of ['sqlite', 'postgres']) {
    const folder = `src/store/${store}/migrations`;
    const digest = (name) =>
      createHash('sha256')
        .update(read(`${folder}/${name}`))
        .digest('hex');
    const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.sql'));
    const isSame = names.every((name) => known[store]?.[name] === digest(name));
    if (isSame && names.length === Object.keys(known[store] ?? {}).length) continue;
    throw new Error(
      `${FIXTURES}/${version} does not have the newest migration of ${folder}: run \`node scripts/release.mjs fixture\`, and commit it`,
    );
  }
}

function run(command, args) {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function read(name) {
  return readFileSync(join(ROOT, name), 'utf8');
}

function edit(name, toNext) {
  writeFileSync(join(ROOT, name), toNext(read(name)));
}

function replaceOnce(name, text, place, replacement) {
  if (!place.test(text)) throw new Error(`${name} has no place for the version (${place})`);
  return text.replace(place, replacement);
}

function replaceEach(name, text, from, to) {
  if (!text.includes(from)) throw new Error(`${name} does not name ${from}: was this done before?`);
  return text.replaceAll(from, to);
}

function versionOf(name) {
  return JSON.parse(read(name)).version;
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
