/** Installing for production: a complete build is accepted whatever its file times are, and an error says what is missing. */
import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { diskUsage } from '../support/disk-usage.ts';
import { createProductionCopy, type ProductionCopy } from '../support/production-copy.ts';
import { createInstallation } from '../support/service.ts';

const MAX_BYTES = 360 * 2 ** 20;
const HOW = 'run `npm ci --include=dev`, which builds, and then `npm prune --omit=dev`';
let copy: ProductionCopy;
beforeAll(async () => {
  copy = await createProductionCopy();
});
afterAll(() => copy?.remove());

const at = (path: string) => join(copy.folder, path);
const failure = (reason: string) => ({
  status: 1,
  output: expect.stringMatching(new RegExp(`^build: ${reason}.*\\n$`)),
});

describe('npm ci', () => {
  it('takes little disk: large development tools are in tools/packages', () => {
    const folder = join(ROOT, 'node_modules');
    // Files that earlier test runs keep there do not belong to the installation.
    const bytes = diskUsage(folder) - diskUsage(join(folder, '.cache'));
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});

describe('a copy of the built repository with production packages', () => {
  it('is accepted, builds nothing and answers', async () => {
    for (const path of ['src/main.ts', 'tsconfig.json', 'dashboard/index.html', 'dist/main.js'])
      utimesSync(at(path), 0, 0);
    expect(await copy.build()).toEqual({ status: 0, output: '' });
    const installation = await createInstallation();
    const service = await installation.spawn({}, [process.execPath, at('bin/gatehouse.js')]);
    try {
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      expect((await fetch(`${service.url}/`)).headers.get('content-type')).toContain('text/html');
    } finally {
      await installation.remove();
    }
  });

  it.each([
    ['code', 'src/main.ts', 'dist', 'typescript, typebox'],
    ['pages', 'dashboard/index.html', 'dist/dashboard', '@fontsource.* and \\d+ more'],
  ])('says which file of its %s changed after the build', async (_what, path, target, packages) => {
    renameSync(at(path), at('kept'));
    writeFileSync(at(path), '');
    const changed = `${target} does not fit ${path}, which changed after the build, and development packages`;
    const { status, output } = await copy.build();
    expect(output).toMatch(new RegExp(`^build: ${changed} that build it are missing \\(${packages}\\): `));
    expect(output).toContain(HOW);
    expect(status).toBe(1);
    rmSync(at(path));
    expect(await copy.build()).toEqual(failure(`${target} .*${path} was removed after the build`));
    renameSync(at('kept'), at(path));
    expect((await copy.build()).status).toBe(0);
  });

  it('says what has not been built, or was built only in part', async () => {
    appendFileSync(at('dist/intel/baseline.snapshot'), ' ');
    expect(await copy.build()).toEqual(
      failure('the intelligence snapshot has not been built, .*: run `npm ci'),
    );
    rmSync(at('dist/intel/baseline.snapshot'));
    expect(await copy.build()).toEqual(failure('the intelligence snapshot has not been built, '));
    rmSync(at('dist'), { recursive: true });
    expect(await copy.build()).toEqual(failure('dist has not been built, and development packages'));
  });
});
