// A resolver on loopback that gives every name a mail exchange, so that the bench asks no other server.
import { createSocket } from 'node:dgram';
import packet from 'dns-packet';

/** Resolves to the server's `ip:port`. */
export function startDns() {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions } = packet.decode(message);
    const [{ name }] = questions;
    const answers = [{ type: 'MX', name, ttl: 3600, data: { preference: 10, exchange: `mx.${name}` } }];
    socket.send(
      packet.encode({ type: 'response', id, flags: packet.RECURSION_AVAILABLE, questions, answers }),
      port,
      address,
    );
  });
  return new Promise((resolve) => {
    socket.bind(0, '127.0.0.1', () => {
      resolve({ address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() });
    });
  });
}
