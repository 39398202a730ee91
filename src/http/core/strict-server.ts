/** Lets the strict reader have each connection of a server first, with the server's limits of time and its way to close. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createHeldConnections } from './held-connections.ts';
import type { LoadShedder } from './load-shedder.ts';
import { StrictConnection } from './strict-connection.ts';

const CHECK_MS = 1_000;

/** Call before anything else listens for connections. `refusal`: see `LoadShedder`. */
export function readStrictly(server: Server, refusal: LoadShedder['refusal'] = () => undefined): void {
  const [nodeListener] = server.listeners('connection') as ((socket: Socket) => void)[];
  if (nodeListener === undefined) throw new Error('the server has no parser');
  const connections = new Set<StrictConnection>();
  const held = createHeldConnections();
  let seconds = 0;
  /** A service without connections does not wake up for them. */
  let checking: NodeJS.Timeout | undefined;
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1000)}\r\n`;
  const options = {
    onRequest: (request: unknown, response: unknown) => void server.emit('request', request, response),
    refusal: () => refusal(keepAlive),
    hold: held.hold,
    onClientError: (error: Error, socket: Socket) => void server.emit('clientError', error, socket),
    handOver: (socket: Socket) => nodeListener.call(server, socket),
    keepAlive,
    clock: () => seconds,
  };

  server.off('connection', nodeListener);
  server.on('connection', (socket) => {
    const connection = new StrictConnection(socket, options);
    connections.add(connection);
    checking ??= setInterval(check, CHECK_MS).unref();
    socket.once('close', () => {
      connections.delete(connection);
      held.drop(connection);
      if (connections.size === 0) stopChecking();
    });
  });

  /** One with a request that is not answered is not idle. */
  function closeIdle(): void {
    for (const { state, isIdle, since, socket } of connections)
      if (isIdle || (state === 'new' && seconds - since > 1)) socket.destroy();
  }

  function check(): void {
    seconds += 1;
    for (const connection of connections) checkTime(server, connection, seconds - connection.since);
  }

  function stopChecking(): void {
    clearInterval(checking);
    checking = undefined;
  }

  const closeIdleOfNode = server.closeIdleConnections;
  const closeAllOfNode = server.closeAllConnections;
  server.closeIdleConnections = () => {
    closeIdleOfNode.call(server);
    closeIdle();
  };
  server.closeAllConnections = () => {
    closeAllOfNode.call(server);
    for (const { socket } of connections) socket.destroy();
  };
}

function checkTime(server: Server, connection: StrictConnection, seconds: number): void {
  const { state, socket } = connection;
  /** A limit of 0 is none. */
  const isOlderThan = (milliseconds: number) => milliseconds > 0 && seconds * 1000 > milliseconds;
  if (state === 'new' || state === 'receiving') {
    if (isOlderThan(server.requestTimeout)) connection.fail('ERR_HTTP_REQUEST_TIMEOUT');
  } else if (state === 'idle') {
    if (isOlderThan(server.keepAliveTimeout)) socket.destroy();
  } else if (state === 'answering' && isOlderThan(server.timeout)) socket.destroy();
}
