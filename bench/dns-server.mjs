// The process behind `startDns`: answers each name with a mail exchange of its own, for a day, and has no other records. Prints `{"address":…}` once it listens.
import { createSocket } from 'node:dgram';
import packet from 'dns-packet';

const DAY_SECONDS = 86_400;
/** Of whatever is asked for besides, for a day too. */
const ABSENT = {
  type: 'SOA',
  name: '.',
  ttl: DAY_SECONDS,
  data: { mname: 'a.example', rname: 'b.example', minimum: DAY_SECONDS },
};
const exchangeOf = (name) => ({
  type: 'MX',
  name,
  ttl: DAY_SECONDS,
  data: { preference: 10, exchange: `mx.${name}` },
});

const socket = createSocket('udp4');
socket.on('message', (message, { port, address }) => {
  const { id, questions } = packet.decode(message);
  const [{ name, type }] = questions;
  const reply = { type: 'response', id, flags: packet.RECURSION_AVAILABLE, questions };
  const found = type === 'MX' ? { answers: [exchangeOf(name)] } : { authorities: [ABSENT] };
  socket.send(packet.encode({ ...reply, ...found }), port, address);
});
socket.bind(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ address: `127.0.0.1:${socket.address().port}` })}\n`);
});
// Ends with the bench, however that ends.
process.stdin.resume().once('end', () => process.exit());
