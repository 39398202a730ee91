/** How a release is made: one version everywhere, and workflows that run only pinned code, with minimal rights. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { at, fileOf, ROOT, type Tree, treeOf } from '../support/deployment.ts';
import { migrationsOf } from '../support/release-fixture.ts';

const WORKFLOWS = '.github/workflows';
const jsonOf = (path: string): Tree => JSON.parse(fileOf(path)) as Tree;
const { version, workspaces } = jsonOf('package.json') as { version: string; workspaces: string[] };

describe('the version', () => {
  it.each(['deploy/npm/package.json', 'client/package.json', 'package-lock.json'])(
    'is the same in %s',
    (path) => {
      expect(jsonOf(path).version).toBe(version);
    },
  );

  it('is the same in the files that deploy the image', () => {
    expect(fileOf('Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
    expect(at(treeOf('deploy/kubernetes/kustomization.yaml'), 'images', 0, 'newTag')).toBe(version);
    expect(treeOf('deploy/helm/gatehouse/Chart.yaml')).toMatchObject({ version, appVersion: version });
  });

  it('is the same in the clients of other languages', () => {
    expect(fileOf('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
    expect(fileOf('clients/ruby/lib/gatehouse/version.rb')).toContain(` VERSION = "${version}"\n`);
  });

  it('has release notes if the changelog has its section, else an error says so', () => {
    const next = execFileSync('node', ['scripts/release.mjs', 'next'], { cwd: ROOT, encoding: 'utf8' });
    expect(next).toMatch(new RegExp(`^version=${version}\nrelease=(?:true|false)\n$`));
    const hasNotes = fileOf('CHANGELOG.md').includes(`\n## ${version},`);
    const command = ['scripts/release.mjs', 'notes'];
    const notes = () => execFileSync('node', command, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
    if (hasNotes) expect(notes().trim()).not.toBe('');
    else expect(notes).toThrow(`CHANGELOG.md has no section for ${version}`);
  });
});

describe('the address of the repository', () => {
  const FILES = [
    'clients/go/go.mod',
    'clients/go/README.md',
    'clients/go/internal/vectors/main.go',
    'deploy/helm/gatehouse/values.yaml',
    'deploy/kubernetes/kustomization.yaml',
  ];

  it('is written once, everywhere', () => {
    const copy = mkdtempSync(join(tmpdir(), 'gatehouse-address-'));
    for (const path of ['scripts/release.mjs', 'scripts/read-options.mjs', ...FILES])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    const write = (repository: string) =>
      spawnSync('node', ['scripts/release.mjs', 'address', '--repository', repository], {
        cwd: copy,
        encoding: 'utf8',
      });
    const read = (path: string) => readFileSync(join(copy, path), 'utf8');
    const before = FILES.map(read);
    expect(write('https://github.com/Acme/gatehouse').stderr).toContain('--repository github.com/OWNER/NAME');
    expect(FILES.map(read)).toEqual(before);
    expect(write('github.com/Acme/gatehouse')).toMatchObject({ status: 0, stderr: '' });
    expect(read('clients/go/go.mod')).toContain('module github.com/Acme/gatehouse/clients/go\n');
    expect(read('clients/go/internal/vectors/main.go')).toContain('"github.com/Acme/gatehouse/clients/go"');
    expect(FILES.map(read).join('')).not.toContain('gatehouse.example/gatehouse');
    expect(parse(read('deploy/helm/gatehouse/values.yaml')).image.repository).toBe('ghcr.io/acme/gatehouse');
    expect(parse(read('deploy/kubernetes/kustomization.yaml')).images[0].newName).toBe(
      'ghcr.io/acme/gatehouse',
    );
    expect(write('github.com/Acme/gatehouse').stderr).toContain('was this done before?');
    rmSync(copy, { recursive: true });
  });
});

describe('the fixture of a release', () => {
  const FIXTURE = `test/fixtures/releases/${version}`;
  const MIGRATION = 'src/store/sqlite/migrations/999-more.sql';

  /** The output of `next` in a copy of the repository at its release, without waiting changes; `changed`: what is done to the copy. */
  function nextIn(changed: (copy: string) => void): string {
    const copy = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
    const migrations = ['sqlite', 'postgres'].map((store) => `src/store/${store}/migrations`);
    for (const path of ['scripts/release.mjs', 'scripts/read-options.mjs', 'package.json', ...migrations])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    // As `node scripts/release.mjs fixture` would write it now.
    const now = {
      version,
      migrations: { sqlite: migrationsOf('sqlite'), postgres: migrationsOf('postgres') },
    };
    mkdirSync(join(copy, FIXTURE), { recursive: true });
    writeFileSync(join(copy, FIXTURE, 'fixture.json'), JSON.stringify(now));
    mkdirSync(join(copy, '.changeset'));
    writeFileSync(join(copy, 'CHANGELOG.md'), `# Changelog\n\n## ${version}, 2026-12-01\n`);
    writeFileSync(join(copy, '.changeset/README.md'), '');
    execFileSync('git', ['init', '--quiet'], { cwd: copy });
    changed(copy);
    const { stdout, stderr } = spawnSync('node', ['scripts/release.mjs', 'next'], {
      cwd: copy,
      encoding: 'utf8',
    });
    rmSync(copy, { recursive: true });
    return stdout + stderr;
  }

  it('must exist with every migration before anything is published', () => {
    const released = `version=${version}\nrelease=true\n`;
    const refused =
      /^release: test\/fixtures\/releases\/\S+ does not have the newest migration of src\/store\/(\w+)\/migrations: run `node scripts\/release\.mjs fixture`, and commit it\n$/;
    expect(nextIn(() => {})).toBe(released);
    expect(nextIn((copy) => rmSync(join(copy, FIXTURE), { recursive: true }))).toMatch(refused);
    expect(nextIn((copy) => writeFileSync(join(copy, MIGRATION), 'SELECT 1;'))).toMatch(refused);
    const before = 'src/store/postgres/migrations/001-first.sql';
    expect(refused.exec(nextIn((copy) => writeFileSync(join(copy, before), 'SELECT 1;')))?.[1]).toBe(
      'postgres',
    );
  });

  it('is not asked for, and nothing is published, until the changelog has a date', () => {
    const undated = (copy: string) => {
      writeFileSync(join(copy, 'CHANGELOG.md'), `# Changelog\n\n## ${version}, not yet published\n`);
      rmSync(join(copy, FIXTURE), { recursive: true });
    };
    expect(nextIn(undated)).toBe(`version=${version}\nrelease=false\n`);
  });

  it('may lack changes that wait for a release', () => {
    const waiting = (copy: string) => {
      writeFileSync(join(copy, MIGRATION), 'SELECT 1;');
      writeFileSync(join(copy, '.changeset/more.md'), '');
    };
    expect(nextIn(waiting)).toContain('release=true');
  });
});

describe('changesets', () => {
  const released = ['gatehouse-server', 'gatehouse-client'];
  const names = workspaces.map((path) => at<string>(jsonOf(`${path}/package.json`), 'name'));

  it('know every package', () => {
    const { fixed, ignore } = jsonOf('.changeset/config.json');
    expect(fixed).toEqual([released]);
    expect([...released, ...(ignore as string[])].toSorted()).toEqual(names.toSorted());
  });

  it('that wait name a package that we release, the size of the change, and the change', () => {
    const files = readdirSync(join(ROOT, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name));
    for (const file of files) {
      const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(fileOf(`.changeset/${file}`)) ?? [];
      const changes = Object.entries((parse(head) ?? {}) as Tree);
      expect(changes.length, file).toBeGreaterThan(0);
      for (const [name, size] of changes) {
        expect(released, file).toContain(name);
        expect(['patch', 'minor', 'major'], file).toContain(size);
      }
      expect(text.trim(), file).not.toBe('');
    }
  });
});

/** Commands that install packages, build, or run what is in the repository or in packages. */
const BUILDS =
  /\bnpm (?!view |publish \S+ --ignore-scripts )|\b(?:npx|node|make|pip3?|pipx|yarn|pnpm|bundle|composer|go|bash|sh) |python3? -m|gem (?:build|install)|helm (?:package|dependency)|docker(?!:\/\/)|buildx|\.ci\/|(?:^|\s)\.\/(?!\$name-\$VERSION\.tgz)/m;
/** Actions that bring files or a runtime. */
const MOVES_FILES = ['actions/checkout', 'actions/setup-node', 'actions/download-artifact'];

function mayPublish(job: Tree, byDefault: Tree): boolean {
  const rights = Object.values((job.permissions ?? byDefault) as Tree);
  return rights.includes('write') || JSON.stringify(job).includes('${{ secrets.');
}

describe.each(readdirSync(join(ROOT, WORKFLOWS)))('the workflow %s', (name) => {
  const text = fileOf(`${WORKFLOWS}/${name}`);
  const { jobs, permissions } = treeOf(`${WORKFLOWS}/${name}`) as {
    jobs: { [name: string]: Tree };
    permissions: Tree;
  };
  const steps = Object.values(jobs).flatMap((job) => at<Tree[]>(job, 'steps'));

  it('uses actions by commit, with the version in a comment', () => {
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, rest]) => rest);
    expect(uses.length).toBe(steps.filter((step) => step.uses !== undefined).length);
    for (const rest of uses) expect(rest).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs only scripts that exist', () => {
    const { scripts } = jsonOf('package.json') as { scripts: Tree };
    const commands = text.matchAll(/npm run ([\w:]+)|(?:node|run:) ((?:scripts|\.ci)\/[\w.-]+)/g);
    const found = [...commands];
    expect(found.length).toBeGreaterThan(0);
    for (const [, script, file] of found)
      expect(script === undefined ? existsSync(join(ROOT, file as string)) : script in scripts).toBe(true);
  });

  it('installs, builds and runs nothing in jobs that may write or have a secret', () => {
    for (const [id, job] of Object.entries(jobs)) {
      if (!mayPublish(job, permissions)) continue;
      const own = at<Tree[]>(job, 'steps');
      for (const { run = '' } of own) expect(String(run), id).not.toMatch(BUILDS);
      for (const { uses } of own.filter((step) => step.uses !== undefined))
        expect(MOVES_FILES, id).toContain(String(uses).replace(/@.*/, ''));
      // Debian's own archive is signed.
      expect(JSON.stringify(own.map(({ run }) => run)), id).not.toMatch(
        /install (?!--yes --no-install-recommends [a-z\d -]+")/,
      );
    }
  });

  it('publishes only files whose checksums the job that built them has said', () => {
    for (const [id, job] of Object.entries(jobs)) {
      const own = at<Tree[]>(job, 'steps');
      const download = own.findIndex(({ uses }) => String(uses).startsWith('actions/download-artifact@'));
      if (download < 0) continue;
      expect(String(own[download + 1]?.run), id).toMatch(
        /^printf '%s\\n' "\$SUMS" \| sha256sum --check --strict(?:\n|$)/,
      );
      const [, builder = ''] =
        /^\$\{\{ needs\.([\w-]+)\.outputs\.sums \}\}$/.exec(at(job, 'env', 'SUMS')) ?? [];
      expect(mayPublish(jobs[builder] as Tree, permissions), builder).toBe(false);
      const upload = at<Tree[]>(jobs[builder] as Tree, 'steps').find(({ uses }) =>
        /upload-artifact/.test(String(uses)),
      );
      expect(at(own[download] as Tree, 'with', 'name')).toBe(at(upload as Tree, 'with', 'name'));
    }
  });

  it('shows no token to steps that read what was built, and lets no built repository into one of git', () => {
    const publishing = Object.values(jobs).filter((job) => mayPublish(job, permissions));
    for (const job of publishing) {
      for (const { run = '', env = {} } of at<Tree[]>(job, 'steps')) {
        if (!/^\s*git (?:init|add|apply)\b/m.test(String(run))) continue;
        expect(JSON.stringify([job.env ?? {}, env])).not.toMatch(/github\.token|secrets\./);
      }
      const text = JSON.stringify(job.steps);
      expect(text.match(/tar --extract/g)?.length ?? 0).toBe(
        text.match(/tar --extract [^&\\]*--exclude=\.git(?![\w*])/g)?.length ?? 0,
      );
    }
  });

  it('names images by digest in jobs of a release', () => {
    if (name !== 'release.yml') return;
    for (const { container } of Object.values(jobs).filter((job) => job.container !== undefined))
      expect(container).toMatch(/^[\w:.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('has no write access unless a job declares it, has a timeout, and puts no outside text into a shell', () => {
    for (const right of Object.values(permissions)) expect(right).toBe('read');
    for (const job of Object.values(jobs)) expect(at(job, 'timeout-minutes')).toBeGreaterThan(0);
    for (const { run } of steps) expect(String(run ?? '')).not.toContain('${{');
  });
});

describe('the released image', () => {
  const bake = fileOf('docker-bake.hcl');

  it('is built for both architectures, with a bill of materials and a provenance record', () => {
    expect(bake).toContain('platforms = ["linux/amd64", "linux/arm64"]');
    expect(bake).toMatch(/attest = \[\s*"type=sbom",\s*"type=provenance,mode=max",/);
  });

  it('starts from a base image with a fixed digest', () => {
    expect(fileOf('Dockerfile')).toMatch(
      /^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-trixie-slim@sha256:[0-9a-f]{64}$/m,
    );
  });
});
