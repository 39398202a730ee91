// The process behind `startDns`: answers each name with its own mail exchange, valid for a day, and has no other records. Prints `{"address":…}` once it listens.
import { createSocket } from 'node:dgram';

const HEAD_BYTES = 12;
const TYPE_MX = 15;
/** A response, recursion desired and available. */
const FLAGS = 0x8180;
/** Offsets in the header: the numbers of answers, authorities and additional records. */
const [FLAGS_AT, ANSWERS_AT, AUTHORITIES_AT, ADDITIONALS_AT] = [2, 6, 8, 10];
/** Encoded by hand, because a library takes more time for an answer than the measured service. */
const DAY = [0x00, 0x01, 0x51, 0x80];
const OF_QUESTION = [0xc0, HEAD_BYTES];
/** `MX 10 mx.<name>`. */
// biome-ignore format: a record in two lines, its name to its TTL and its data
const EXCHANGE = Buffer.from([
  ...OF_QUESTION, 0, TYPE_MX, 0, 1, ...DAY,
  0, 7, 0, 10, 2, ...Buffer.from('mx'), ...OF_QUESTION,
]);
/** The SOA of the root for answers without a record, also valid for a day. */
const NAMES = Buffer.from('\x01a\x07example\x00\x01b\x07example\x00', 'latin1');
// biome-ignore format: its name to its names, and its numbers
const ABSENT = Buffer.from([
  0, 0, 6, 0, 1, ...DAY, 0, NAMES.length + 20, ...NAMES,
  0, 0, 0, 1, ...DAY, ...DAY, ...DAY, ...DAY,
]);

const socket = createSocket('udp4');
socket.on('message', (message, { port, address }) => {
  let end = HEAD_BYTES;
  while (message[end] !== 0) end += message[end] + 1;
  const isMx = message.readUInt16BE(end + 1) === TYPE_MX;
  const reply = Buffer.concat([message.subarray(0, end + 5), isMx ? EXCHANGE : ABSENT]);
  reply.writeUInt16BE(FLAGS, FLAGS_AT);
  reply.writeUInt16BE(isMx ? 1 : 0, ANSWERS_AT);
  reply.writeUInt16BE(isMx ? 0 : 1, AUTHORITIES_AT);
  reply.writeUInt16BE(0, ADDITIONALS_AT);
  socket.send(reply, port, address);
});
socket.bind(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ address: `127.0.0.1:${socket.address().port}` })}\n`);
});
// Ends when the bench ends, for any reason.
process.stdin.resume().once('end', () => process.exit());
