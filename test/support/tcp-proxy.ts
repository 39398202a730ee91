/** A TCP proxy on loopback that a test can cut: it goes silent, like a lost network, or refuses connections, like a stopped server. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Stops all traffic without closing connections. As with TCP, data sent during the stall arrive after it. */
  stall(): void;
  /** Stalls after this many more bytes to the target: in the middle of a long message. */
  stallAfter(bytes: number): void;
  /** Closes every connection, and new ones immediately. */
  drop(): void;
  flow(): void;
  /** Sends new connections to another target, `host:port`; open connections stay, as after a DNS change. */
  moveTo(target: string): void;
  close(): Promise<void>;
}

/** @param target `host:port` @param isSilent which connections, counted from 1, are accepted but never answered; default: none */
export async function startTcpProxy(
  target: string,
  isSilent: (connection: number) => boolean = () => false,
): Promise<TcpProxy> {
  let { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let way: 'flows' | 'stalled' | 'dropped' = 'flows';
  let held: (() => void)[] = [];
  let bytesUntilStall = Number.POSITIVE_INFINITY;

  const pass = (work: () => void) => {
    if (way === 'stalled') held.push(work);
    else work();
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  /** The end of a client is noticed only after everything that it sent before. */
  const join = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => pass(() => to.destroyed || to.write(bytes)));
    from.on('end', () => pass(() => to.end()));
    from.on('close', () => pass(() => to.end()));
  };

  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    connections += 1;
    if (isSilent(connections)) return;
    if (way === 'dropped') {
      near.destroy();
      return;
    }
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    keep(far);
    join(near, far);
    join(far, near);
    near.on('data', ({ length }) => {
      bytesUntilStall -= length;
      if (bytesUntilStall <= 0) way = 'stalled';
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      way = 'stalled';
    },
    stallAfter(bytes) {
      bytesUntilStall = bytes;
    },
    drop() {
      way = 'dropped';
      destroyAll();
    },
    flow() {
      way = 'flows';
      bytesUntilStall = Number.POSITIVE_INFINITY;
      const late = held;
      held = [];
      for (const work of late) work();
    },
    moveTo(next) {
      ({ hostname, port } = new URL(`tcp://${next}`));
    },
    async close() {
      server.close();
      destroyAll();
      await once(server, 'close');
    },
  };
}
