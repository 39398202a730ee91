/** A way through loopback that a test can cut: by silence, as a lost network does, or by refusal, as a dead host's neighbour does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Stops all traffic without closing connections. As with TCP, what is sent during the stall arrives when it flows again. */
  stall(): void;
  /** Stalls once so many more bytes have gone to the target: in the middle of a long message. */
  stallAfter(bytes: number): void;
  /** Every connection is lost, and new ones as soon as they are made. */
  drop(): void;
  flow(): void;
  /** New connections lead there, `host:port`; those that are open stay where they are, as with a name that was changed. */
  moveTo(target: string): void;
  close(): Promise<void>;
}

/** @param target `host:port` @param isSilent which connections, counted from 1, are taken and never answered; default: none */
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
  /** A client that gives up is noticed only after everything that it sent before. */
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
