/** Everything about the image that can be tested without a container engine: the Dockerfile and its files agree with the repository. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { dockerfile, fileOf, imageEnvironment, probePaths, ROOT } from '../support/deployment.ts';
import { START_OPTIONS } from '../support/start-options.ts';

const instructions = dockerfile();
const runtime = instructions.filter(({ stage }) => stage === 'runtime');
const last = (name: string) => runtime.findLast((instruction) => instruction.name === name)?.rest ?? '';
const copied = instructions
  .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1));

describe('the Dockerfile', () => {
  it('copies only files that exist', () => {
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('gets exactly the files that it copies', () => {
    const sent = fileOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const needed = copied.map((path) => path.split('/')[0]);
    expect(sent.toSorted()).toEqual([...new Set(needed)].toSorted());
  });

  it('copies from stages that exist, and from the right place in them', () => {
    const stages = new Set(instructions.map(({ stage }) => stage));
    const taken = instructions.flatMap(({ rest }) => /^--from=(\w+) \/app\/(\S+)/.exec(rest)?.[1] ?? []);
    expect(taken).toEqual(['dependencies', 'build']);
    expect(taken.every((stage) => stages.has(stage))).toBe(true);
  });

  it('contains the licences: ours, and the notices that the build wrote to dist', () => {
    expect(copied).toContain('LICENSE');
    expect(runtime.find(({ name }) => name === 'RUN')?.rest).toContain(
      'ln -s dist/THIRD-PARTY.txt THIRD-PARTY.txt',
    );
    expect(existsSync(join(ROOT, 'dist/THIRD-PARTY.txt'))).toBe(true);
  });

  it('has a Node.js that the package allows', () => {
    const { engines } = JSON.parse(fileOf('package.json')) as { engines: { node: string } };
    const image = Number(/^ARG NODE_IMAGE=node:(\d+)[.\d]*-/m.exec(fileOf('Dockerfile'))?.[1]);
    expect(image).toBeGreaterThanOrEqual(Number(/^>=(\d+)/.exec(engines.node)?.[1]));
  });

  it('carries the version of the package', () => {
    const { version } = JSON.parse(fileOf('package.json')) as { version: string };
    expect(runtime).toContainEqual({ stage: 'runtime', name: 'ARG', rest: `VERSION=${version}` });
  });

  it('runs without a shell and not as root', () => {
    expect(START_OPTIONS).toContain('--single-threaded-gc');
    expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['node', ...START_OPTIONS, '/app/bin/gatehouse.js']);
    expect(JSON.parse(last('CMD'))).toEqual(['start']);
    expect(fileOf('docs/install.md')).toContain(
      `\`node ${START_OPTIONS.join(' ')} node_modules/.bin/gatehouse start\``,
    );
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const after = runtime.slice(runtime.findIndex(({ name }) => name === 'USER'));
    expect(after.map(({ name }) => name)).not.toContain('RUN');
  });

  it('sets only settings that the service reads, and writes only into the volume', () => {
    const { NODE_ENV, ...settings } = imageEnvironment();
    expect(NODE_ENV).toBe('production');
    const names: string[] = Object.values(SETTINGS).map(({ name }) => name);
    expect(Object.keys(settings).filter((name) => !names.includes(name))).toEqual([]);
    const config = readConfig(settings);
    expect(config).toMatchObject({ host: '0.0.0.0', dataDir: last('VOLUME') });
    expect(last('EXPOSE')).toBe(String(config.port));
  });
});

describe('its health check', () => {
  const check = /CMD (\[.*\])$/.exec(last('HEALTHCHECK'))?.[1] ?? '[]';
  const [program, ...args] = JSON.parse(check) as string[];

  it('asks for a path that exists', () => {
    expect(probePaths()).toContain(/GET (\/\w+) HTTP/.exec(check)?.[1]);
  });

  it('does not start Node.js', () => {
    expect(program).toBe('bash');
    expect(check).not.toContain('node');
  });

  it.each([
    { answered: 200, exit: 0 },
    { answered: 503, exit: 1 },
  ])('ends with $exit if the service answers $answered', async ({ answered, exit }) => {
    const server = createServer((_request, response) => response.writeHead(answered).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      expect(await exitOf((server.address() as AddressInfo).port)).toBe(exit);
    } finally {
      server.close();
    }
  });

  it('fails if nobody answers', async () => {
    expect(await exitOf(1)).toBe(1);
  });

  function exitOf(port: number): Promise<number | null> {
    const env = { PATH: process.env.PATH ?? '', PORT: String(port) };
    const child = spawn(program ?? '', args, { env, stdio: 'ignore' });
    return new Promise((resolve) => child.on('exit', resolve));
  }
});

it('is built only from the lock file', () => {
  expect(
    instructions.filter(({ rest }) => /npm (?:ci|install)/.test(rest)).map(({ stage }) => stage),
  ).toEqual(['build', 'dependencies']);
  expect(copied.filter((path) => path === 'package-lock.json')).toHaveLength(2);
});
