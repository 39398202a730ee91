// The built service under attack: on loopback, with its own data, and with the limits that the attack sets.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeForGood } from '../clean-up.mjs';
import { gatehouse, start, startArgs } from '../process.mjs';

/** No setting of the caller's shell is used, so an attack never reaches real data or servers. */
export function forgetSettings() {
  for (const name of Object.keys(process.env))
    if (/^(?:GATEHOUSE_|DATABASE_URL|REDIS_URL|PORT$|HOST$)/.test(name)) delete process.env[name];
}

const targets = [];
process.once('exit', () => {
  for (const { child, directory } of targets) {
    child?.kill('SIGKILL');
    removeForGood(directory);
  }
});

/**
 * `heapMb`: the heap that V8 may use. `descriptors`: files and sockets that the process may have open.
 * `plan`: an account is made with it, and a live key; `limits`: more options of that account.
 */
export async function startTarget({
  env = {},
  heapMb,
  descriptors,
  plan,
  limits = [],
  nodeOptions = [],
} = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-attack-'));
  // Set before the start, for the clean-up.
  const target = { directory, stop: async () => {} };
  targets.push(target);
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    GATEHOUSE_DATA_DIR: join(directory, 'data'),
    GATEHOUSE_DNS_SERVERS: '127.0.0.1:9',
    GATEHOUSE_CANARY_DOMAINS: 'off',
    GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
    GATEHOUSE_FEEDS: 'off',
    ...env,
  };
  const account =
    plan === undefined
      ? undefined
      : gatehouse(['account', 'create', '--name', 'attacked', '--plan', plan, ...limits], environment);
  const key =
    account === undefined
      ? undefined
      : gatehouse(
          ['key', 'create', '--account', account.id, '--mode', 'live', '--name', 'attacked'],
          environment,
        ).key;
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const limit = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`];
  const args = [...nodeOptions, ...heap, ...startArgs()];
  const launch = { ...environment, KEPT_MEMORY: join(directory, 'kept-memory') };
  const service = await start(args, launch, [...limit, process.execPath], (child) => {
    target.child = child;
  });
  return Object.assign(target, service, {
    dataDir: environment.GATEHOUSE_DATA_DIR,
    environment,
    account: account?.id,
    key,
    residentMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024,
  });
}

/** A live key of another account. */
export function addAccount({ environment }, name) {
  const { id } = gatehouse(['account', 'create', '--name', name, '--plan', 'business'], environment);
  return gatehouse(['key', 'create', '--account', id, '--mode', 'live', '--name', name], environment).key;
}

/** Stops the service and removes its data. */
export async function endTargets() {
  for (const target of [...targets]) {
    await target.stop('SIGKILL');
    target.child?.kill('SIGKILL');
    removeForGood(target.directory);
    targets.splice(targets.indexOf(target), 1);
  }
}
