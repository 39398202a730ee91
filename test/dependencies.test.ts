/** Dependencies: each package has its reason in the documents, is in the bill of materials, and is checked for vulnerabilities. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeAudit } from '../scripts/audit.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = ['.', 'dashboard', 'client', 'tools', 'tools/packages', 'site'];
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

type Manifest = Partial<Record<(typeof KINDS)[number], Record<string, string>>>;
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

/** The names in the first cells of all tables, each with the rest of its row. */
function documented(): Map<string, string> {
  const rows = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').matchAll(
    /^\| (?!Package|-)(.+?) \|(.+)\|$/gm,
  );
  return new Map(
    [...rows].flatMap(([, names = '', reason = '']) =>
      names.split(', ').map((name) => [name.replace(/ \(.*$/, ''), reason] as const),
    ),
  );
}

describe('a package that we depend on', () => {
  const used = new Set(
    PACKAGES.flatMap((folder) => KINDS.flatMap((kind) => Object.keys(manifestOf(folder)[kind] ?? {}))),
  );

  it('has its reason in docs/dependencies.md', () => {
    const reasons = documented();
    expect(used.size).toBeGreaterThan(40);
    expect([...used].filter((name) => !/\w{3}/.test(reasons.get(name) ?? ''))).toEqual([]);
  });

  it('is the only kind of package named there', () => {
    expect([...documented().keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the bill of materials', () => {
  it('names everything that is shipped, with versions and licences, and no development tools', () => {
    const text = execFileSync(process.execPath, ['scripts/release.mjs', 'sbom'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; group?: string; version: string; licenses?: unknown[]; purl: string }[];
    };
    const names = new Set(
      components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/|@[^@/]+$/g, '')),
    );
    expect(bomFormat).toBe('CycloneDX');
    // Development packages need them, too.
    expect([...names]).toEqual(expect.arrayContaining(['pg-protocol', 'pg-types']));
    const { dependencies = {}, devDependencies = {} } = manifestOf('.');
    expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(devDependencies).filter((name) => names.has(name))).toEqual([]);
    expect(
      components.filter(({ version, licenses = [] }) => !/^\d/.test(version) || licenses.length === 0),
    ).toEqual([]);
  });
});

describe('the check for known vulnerabilities', () => {
  const outputOf = (severity?: string) =>
    JSON.stringify({
      vulnerabilities: severity === undefined ? {} : { bad: { name: 'bad', severity } },
      metadata: { vulnerabilities: {} },
    });

  it.each(['high', 'critical'])('fails for a %s one', (severity) => {
    expect(judgeAudit('.', outputOf(severity))).toEqual({
      failed: true,
      line: expect.stringContaining(`bad (${severity})`),
    });
  });

  it.each([outputOf(), outputOf('moderate')])('passes without one', (output) => {
    expect(judgeAudit('.', output)).toEqual({ failed: false, line: '.: no high or critical findings' });
  });

  it.each(['', '{"message":"the endpoint answered 405"}', '{"error":{"code":"ENOTFOUND"}}'])(
    'says that it could not check, and does not fail, if npm answered %j',
    (output) => {
      expect(judgeAudit('site', output)).toEqual({
        failed: false,
        line: expect.stringContaining('not checked'),
      });
    },
  );
});
