/** compose.yaml and the load balancer's file: they parse, and agree with the image, the settings and each other. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import {
  at,
  fileOf,
  imageEnvironment,
  inSecretFiles,
  probePaths,
  ROOT,
  type Tree,
  treeOf,
} from '../support/deployment.ts';

const compose = treeOf('compose.yaml');
const services = at<{ [name: string]: Tree }>(compose, 'services');
const ours = Object.entries(services).filter(([, service]) => service.build === '.');
const balancer = fileOf('deploy/haproxy/haproxy.cfg');
const { GATEHOUSE_DATA_DIR: dataDir = '', PORT: port } = imageEnvironment();

const MOUNT = '/run/secrets/';
const secrets = at<{ [name: string]: { file: string } }>(compose, 'secrets');

/** With no variable set outside; `set`: with all variables set. */
function textOf(value: unknown, set = false): string {
  const defaults = set ? /\$\{\w+:\+([^}]*)\}/g : /\$\{\w+:-([^}]*)\}/g;
  return String(value)
    .replace(defaults, '$1')
    .replace(/\$\{\w+:[-+][^}]*\}/g, '');
}

function plain(environment: Tree, set = false): { [name: string]: string } {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, textOf(value, set)]));
}

/** The settings of a container, with the files that are mounted when no variable is set outside. */
function environmentOf(service: Tree): { [name: string]: string } {
  const environment = plain(at(service, 'environment'));
  const isMounted = ([, value]: [string, string]) => value.startsWith(MOUNT);
  const mounted = Object.entries(environment).filter(isMounted);
  const contents = mounted.map(([, path]) => {
    const name = path.slice(MOUNT.length);
    return [name, fileOf(textOf(secrets[name]?.file)).trim()];
  });
  const files = inSecretFiles(Object.fromEntries(mounted), Object.fromEntries(contents));
  return { ...environment, ...files };
}

describe('compose.yaml', () => {
  it('starts one embedded node unless the cluster is asked for', () => {
    const always = Object.keys(services).filter((name) => services[name]?.profiles === undefined);
    expect(always).toEqual(['gatehouse']);
    expect(Object.keys(plain(at(services, 'gatehouse', 'environment')))).not.toContain('DATABASE_URL');
    for (const [name, { profiles }] of Object.entries(services))
      if (name !== 'gatehouse') expect(profiles).toEqual(['cluster']);
  });

  it.each(ours)('sets only what the service reads: %s', (_name, service) => {
    const environment = environmentOf(service);
    const settings = Object.values(SETTINGS);
    const names: string[] = settings.flatMap(({ name, secret }) =>
      secret ? [name, `${name}_FILE`] : [name],
    );
    expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
    expect(() => readConfig(environment)).not.toThrow();
  });

  it('gives each service its secrets as files, and only those that it reads', () => {
    expect(ours.map(([name]) => name)).toEqual(['gatehouse', 'node']);
    for (const [name, service] of Object.entries(services)) {
      const environment = plain((service.environment ?? {}) as Tree, true);
      const read = Object.values(environment).filter((value) => value.startsWith(MOUNT));
      const mounted = (service.secrets ?? []) as string[];
      expect([name, read.map((path) => path.slice(MOUNT.length)).toSorted()]).toEqual([
        name,
        mounted.toSorted(),
      ]);
      for (const secret of mounted) expect(Object.keys(secrets)).toContain(secret);
      const secretSettings: string[] = Object.values(SETTINGS)
        .filter(({ name, secret }) => secret && name !== 'REDIS_URL')
        .map(({ name }) => name);
      expect(Object.keys(environment).filter((variable) => secretSettings.includes(variable))).toEqual([]);
    }
  });

  it.each(ours)('runs each of our services with minimal rights: %s', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
    });
    expect(Number.parseInt(at(service, 'stop_grace_period'), 10)).toBeGreaterThan(10);
  });

  it('has exactly the variables that it reads in .env.example', () => {
    const read = [...fileOf('compose.yaml').matchAll(/\$\{(\w+):[-+]/g)].map(([, name]) => name);
    const named = [...fileOf('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([...new Set(read)].toSorted());
  });

  it('keeps the data of the embedded node in a volume', () => {
    expect(at(services, 'gatehouse', 'volumes')).toEqual([`data:${dataDir}`]);
    expect(at<string[]>(services, 'gatehouse', 'ports')).toEqual([`127.0.0.1:${port}:${port}`]);
  });

  it('declares each volume, and mounts files that exist', () => {
    const mounts = Object.values(services).flatMap((service) => (service.volumes ?? []) as string[]);
    const sources = mounts.map((mount) => mount.split(':')[0] as string);
    const files = sources.filter((source) => source.startsWith('./'));
    expect(sources.filter((source) => !files.includes(source)).toSorted()).toEqual(
      Object.keys(at(compose, 'volumes')).toSorted(),
    );
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('waits for services that have a health check', () => {
    for (const service of Object.values(services))
      for (const [name, { condition }] of Object.entries(
        (service.depends_on ?? {}) as { [name: string]: Tree },
      )) {
        expect(condition).toBe('service_healthy');
        expect(services[name]?.healthcheck ?? services[name]?.build).toBeDefined();
      }
  });

  it('points nodes at its own PostgreSQL and Valkey', () => {
    const { databaseUrl, redisServers } = readConfig(environmentOf(at(services, 'node')));
    const database = new URL(databaseUrl as string);
    const { POSTGRES_USER, POSTGRES_DB } = plain(at(services, 'postgres', 'environment'));
    const password = fileOf(textOf(secrets['postgres-password']?.file)).trim();
    expect(services[database.hostname]?.image).toBe('postgres:18');
    expect([database.username, database.password, database.pathname]).toEqual([
      POSTGRES_USER,
      password,
      `/${POSTGRES_DB}`,
    ]);
    const counters =
      services[
        redisServers?.endpoints.map((endpoint) => ('host' in endpoint ? endpoint.host : ''))[0] as string
      ];
    expect(counters?.image).toBe('valkey/valkey:8');
    expect(at<string[]>(counters as Tree, 'command').join(' ')).toContain(
      '--save  --appendonly no --maxmemory 512mb --maxmemory-policy noeviction',
    );
  });

  it('contains no secret except one that says it is for development', () => {
    for (const [name, { file }] of Object.entries(secrets)) {
      const path = textOf(file);
      if (path === '/dev/null') continue;
      expect([name, fileOf(path)]).toEqual([name, expect.stringContaining('development-only')]);
    }
    expect(plain(at(services, 'node', 'environment')).GATEHOUSE_SECRET_FILE).toBe('');
  });
});

describe('the load balancer', () => {
  it('listens on the port that compose.yaml publishes', () => {
    const bound = /bind :(\d+)/.exec(balancer)?.[1];
    expect(at<string[]>(services, 'balancer', 'ports')).toEqual([`127.0.0.1:${bound}:${bound}`]);
  });

  it('knows the nodes by their name and port, and has room for all', () => {
    const [, room, name, target] = /server-template \S+ (\d+) (\w+):(\d+)/.exec(balancer) ?? [];
    expect(at(services, name as string, 'build')).toBe('.');
    expect(target).toBe(port);
    expect(Number(room)).toBeGreaterThanOrEqual(at<number>(services, name as string, 'deploy', 'replicas'));
  });

  it('asks whether a node is ready, and blocks access to the metrics', () => {
    const [, path] = /http-check send meth GET uri (\S+)/.exec(balancer) ?? [];
    const [, closed] = /deny deny_status 404 if \{ path (\S+) \}/.exec(balancer) ?? [];
    expect(path).toBe('/readyz');
    expect(probePaths()).toEqual(expect.arrayContaining([path, closed]));
  });
});
