/**
 * A separate network for a process, in which packets to a server can be lost without any notice: no proxy can do
 * that. It needs Linux, iproute2 and util-linux, and a kernel that lets this user make namespaces; no root.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { find } from '../../scripts/system-package.mjs';
import { until } from './expectations.ts';

export interface Network {
  /** Runs the command that follows in the network. */
  readonly enter: readonly string[];
  /** URL of the port in the network on which processes listen. */
  readonly url: string;
  /** From now on packets to this server are lost. */
  cut(server: ServerName): void;
  heal(server: ServerName): void;
  close(): Promise<void>;
}

export type ServerName = 'postgres' | 'redis';

/** Where processes in the network find the servers, and the port on which they listen. */
export const PLACES: Readonly<Record<ServerName, string>> = {
  postgres: '10.9.1.2:5432',
  redis: '10.9.1.3:6379',
};
export const SERVICE_PORT = '8080';

const FORWARD = resolve(import.meta.dirname, 'forward.mjs');
const addressOf = (server: ServerName) => `${PLACES[server].split(':')[0]}/32`;
const portOf = (server: ServerName) => PLACES[server].split(':')[1];

/**
 * Two networks with a cable between them: the first has the servers' addresses, the second has the process. It prints which
 * processes are in them, and ends with its standard input.
 */
const SCRIPT = `set -e
ip link set lo up
unshare -n sleep 1000000 & node=$!
while [ "$(readlink /proc/$node/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.01; done
ip link add servers type veth peer name node netns $node
ip address add 10.9.0.1/30 dev servers
ip link set servers up
ip address add ${addressOf('postgres')} dev lo
ip address add ${addressOf('redis')} dev lo
nsenter -t $node -n sh -c 'ip link set lo up; ip address add 10.9.0.2/30 dev node; ip link set node up; ip route add 10.9.1.0/24 via 10.9.0.1'
"$1" "$2" "$3" "$4" & out=$!
nsenter -t $node -n "$1" "$2" "$5" & in=$!
trap 'kill $node $out $in' EXIT
echo "$$ $node"
read -r _ || true`;

/** Why there are no such networks here; `undefined` if there are. */
export function findNetworks(): string | undefined {
  const what = 'a network that loses packets';
  if (process.platform !== 'linux') return `${what}: namespaces of Linux are used`;
  if (find(['ip']) === undefined) return `${what}: install iproute2`;
  const made = spawnSync('unshare', [
    '-rn',
    'ip',
    'link',
    'add',
    'one',
    'type',
    'veth',
    'peer',
    'name',
    'two',
  ]);
  return made.status === 0 ? undefined : `${what}: the kernel lets this user make no namespaces`;
}

/** @param sockets the Unix sockets of the servers @param folder for another one */
export async function startNetwork(
  sockets: Readonly<Record<ServerName, string>>,
  folder: string,
): Promise<Network> {
  const service = `${folder}/service.sock`;
  const outward = (['postgres', 'redis'] as const).map((server) => `${portOf(server)}=${sockets[server]}`);
  const args = [process.execPath, FORWARD, ...outward, `${service}=${SERVICE_PORT}`];
  const rig = spawn('unshare', ['-rn', 'sh', '-c', SCRIPT, 'sh', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  rig.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(() => output.endsWith('\n') || rig.exitCode !== null);
  const [servers, node] = output.trim().split(' ');
  if (node === undefined) throw new Error('the networks could not be made');
  const entering = (pid: string | undefined) => [
    'nsenter',
    '--preserve-credentials',
    '-U',
    '-n',
    '-t',
    String(pid),
  ];
  const change = (how: 'add' | 'del', server: ServerName) => {
    const [program = '', ...rest] = [
      ...entering(servers),
      'ip',
      'address',
      how,
      addressOf(server),
      'dev',
      'lo',
    ];
    execFileSync(program, rest);
  };
  const gate = createServer((near) => {
    const far = connect(service);
    for (const socket of [near, far]) socket.on('error', () => [near, far].map((each) => each.destroy()));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return {
    enter: entering(node),
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    // An unused address: everything sent to it is dropped, also on open connections.
    cut: (server) => change('del', server),
    heal: (server) => change('add', server),
    async close() {
      gate.close();
      if (rig.exitCode !== null) return;
      const ended = once(rig, 'exit');
      rig.stdin.end();
      await ended;
    },
  };
}
