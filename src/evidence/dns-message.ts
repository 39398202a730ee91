/** Decides what a DNS query looks like on the wire, and which message answers it. */
import { randomInt } from 'node:crypto';
import { type Answer, encode, RECURSION_DESIRED } from 'dns-packet';

export type QuestionType = 'MX' | 'NS' | 'A' | 'AAAA';

const HEADER_BYTES = 12;
const UDP_PAYLOAD_BYTES = 1232;
const FORMAT_ERROR = 1;
const SERVER_FAILURE = 2;
const NOT_IMPLEMENTED = 4;
const REFUSED = 5;
/** Failures that some servers send without repeating the question. */
const BARE_FAILURES = [FORMAT_ERROR, SERVER_FAILURE, NOT_IMPLEMENTED, REFUSED];

/** A query for one name with a random id. */
export function writeQuery(name: string, type: QuestionType, edns: boolean): Buffer {
  const opt: Answer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return encode({
    type: 'query',
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED,
    questions: [{ name, type, class: 'IN' }],
    additionals: edns ? [opt] : [],
  });
}

/** Whether `message` is a response to `query`: same id, same question. Its body may still be malformed. */
export function answersQuery(query: Buffer, message: Buffer): boolean {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const responseToStandardQuery = (message.readUInt16BE(2) & 0xf800) === 0x8000;
  if (!responseToStandardQuery) return false;
  const questions = message.readUInt16BE(4);
  if (questions === 0) return BARE_FAILURES.includes(headerCode(message));
  return questions === 1 && sameQuestion(query, message);
}

export function isTruncated(message: Buffer): boolean {
  return (message.readUInt16BE(2) & 0x0200) !== 0;
}

/** A server that does not know EDNS says so in one of two ways. */
export function refusesEdns(message: Buffer): boolean {
  return headerCode(message) === FORMAT_ERROR || headerCode(message) === NOT_IMPLEMENTED;
}

export function headerCode(message: Buffer): number {
  return message.readUInt16BE(2) & 0x0f;
}

/** Compares the question sections byte by byte; letters may differ in case. */
function sameQuestion(query: Buffer, message: Buffer): boolean {
  let end = HEADER_BYTES;
  while (query[end] !== 0) end += (query[end] as number) + 1;
  end += 5;
  if (message.length < end) return false;
  for (let at = HEADER_BYTES; at < end; at += 1) {
    if (foldCase(query[at] as number) !== foldCase(message[at] as number)) return false;
  }
  return true;
}

function foldCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
