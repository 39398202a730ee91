/** A DNS server on loopback, over UDP and TCP, whose zone and misbehaviour the test decides. */
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server, type Socket as Stream } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Question,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

/** The server's answer for a name. Without any member: NOERROR, no records, a SOA. */
export interface ZoneEntry {
  /** MX records as `'10 mx.example.com'`; `'0 .'` is a null MX. */
  mx?: readonly string[];
  /** IPv4 and IPv6 addresses. */
  a?: readonly string[];
  aaaa?: readonly string[];
  /** TTL of the records, and TTL and minimum of the SOA in negative answers. Default 300. */
  ttl?: number;
  rcode?: 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';
  /** Omits the SOA from a negative answer. */
  noSoa?: boolean;
  /** Sends the name servers of a zone instead of an answer, as a server without recursion does. */
  referral?: boolean;
  /** The name is an alias; the records are those of this name. */
  cname?: string;
  delayMs?: number;
  /** Never replies. */
  drop?: boolean;
  /** Replies to queries with EDNS with FORMERR. */
  noEdns?: boolean;
  /** Replies over UDP with the TC bit and nothing else. */
  truncate?: boolean;
  /** Datagrams sent before the real one; each but the garbage claims that mail goes to `forged.example.net`. */
  forge?: readonly (
    | 'garbage'
    | 'no_response'
    | 'wrong_id'
    | 'wrong_question'
    | 'wrong_class'
    | 'wrong_case'
    | 'other_port'
  )[];
  /** Replies with another id. */
  wrongId?: boolean;
  /** Adds a record of another name to the answer. */
  stray?: { readonly name: string; readonly mx: string };
  /** Repeats the question in lower case, as few resolvers do. */
  foldsCase?: boolean;
  /** The zone that its SOA names. */
  soaOwner?: string;
  /** Replies with id and question of the query and a body that cannot be decoded. */
  malformed?: boolean;
  /** The entry over TCP, if it is different. */
  overTcp?: ZoneEntry;
  /** The entry from the second query on. */
  later?: ZoneEntry;
}

export interface TestDnsServer {
  /** `127.0.0.1:port`, as the setting for DNS servers takes it. */
  readonly address: string;
  /** While true, the server receives queries and never replies. */
  silent: boolean;
  /** Called with each name exactly as in the query. */
  onName: (name: string) => void;
  /** The entry of names that were not set. Default: NXDOMAIN; the root always replies. */
  fallback: ZoneEntry;
  set(name: string, entry: ZoneEntry): void;
  /** Queries received for a name, or for all names; counted also when they get no reply. */
  queries(name?: string): number;
  /** How many of them came over TCP. */
  readonly tcpQueries: number;
  close(): Promise<void>;
}

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const HOST = '127.0.0.1';

export async function startDnsServer(): Promise<TestDnsServer> {
  return new ZoneServer(await listen());
}

interface Listening {
  readonly udp: Socket;
  readonly tcp: Server;
  readonly port: number;
}

class ZoneServer implements TestDnsServer {
  readonly address: string;
  silent = false;
  onName: (name: string) => void = () => {};
  fallback: ZoneEntry = { rcode: 'NXDOMAIN' };
  tcpQueries = 0;
  readonly #zone = new Map<string, ZoneEntry>([['.', {}]]);
  readonly #counts = new Map<string, number>();
  readonly #delayed = new Set<NodeJS.Timeout>();
  readonly #sockets: Listening;

  constructor(sockets: Listening) {
    const { udp, tcp, port } = sockets;
    this.#sockets = sockets;
    this.address = `${HOST}:${port}`;
    udp.on('message', (query, from) => this.#receiveDatagram(query, from.port));
    tcp.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => this.#receiveStream(data.subarray(2), socket));
    });
  }

  set(name: string, entry: ZoneEntry): void {
    this.#zone.set(name.toLowerCase(), entry);
  }

  queries(name?: string): number {
    if (name !== undefined) return this.#counts.get(name.toLowerCase()) ?? 0;
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    const { udp, tcp } = this.#sockets;
    for (const timer of this.#delayed) clearTimeout(timer);
    await new Promise<void>((done) => udp.close(done));
    await new Promise((done) => tcp.close(done));
  }

  #receiveDatagram(query: Buffer, port: number): void {
    const { udp } = this.#sockets;
    this.#receive(query, false, (entry) => {
      for (const kind of entry.forge ?? []) forge(udp, kind, query, port);
      udp.send(entry.truncate ? truncated(query) : respond(query, entry), port, HOST);
    });
  }

  #receiveStream(query: Buffer, socket: Stream): void {
    this.tcpQueries += 1;
    this.#receive(query, true, (entry) => {
      const message = respond(query, entry);
      socket.end(Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]));
    });
  }

  /** Counts a query and passes on its entry when it is time to reply. */
  #receive(query: Buffer, isTcp: boolean, reply: (entry: ZoneEntry) => void): void {
    const spelling = decode(query).questions?.[0]?.name ?? '';
    this.onName(spelling);
    const name = spelling.toLowerCase();
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    const found = this.#zone.get(name) ?? this.fallback;
    const entry = isTcp ? (found.overTcp ?? found) : found;
    if (entry.later !== undefined) this.#zone.set(name, entry.later);
    if (this.silent || entry.drop) return;
    if (entry.delayMs === undefined) {
      reply(entry);
      return;
    }
    const timer = setTimeout(() => {
      this.#delayed.delete(timer);
      reply(entry);
    }, entry.delayMs);
    this.#delayed.add(timer);
  }
}

/** Binds UDP and TCP to the same free port. */
async function listen(): Promise<Listening> {
  const tcp = createServer();
  await new Promise<void>((done) => tcp.listen(0, HOST, done));
  const address = tcp.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const udp = createSocket('udp4');
  const bound = await new Promise<boolean>((done) => {
    udp.once('error', () => done(false));
    udp.bind(port, HOST, () => done(true));
  });
  if (bound) return { udp, tcp, port };
  await new Promise((done) => tcp.close(done));
  return listen();
}

function respond(query: Buffer, entry: ZoneEntry): Buffer {
  const { id = 0, questions: received = [], additionals = [] } = decode(query);
  const questions = entry.foldsCase ? received.map(inLowerCase) : received;
  if (entry.noEdns && additionals.length > 0) return bare(id, RCODES.FORMERR);
  const owner = entry.cname ?? questions[0]?.name ?? '';
  const answers = answersOf(questions[0] as Question, entry, owner);
  const found = answers.some((answer) => answer.type === questions[0]?.type);
  const message = encode({
    type: 'response',
    id: entry.wrongId ? id ^ 1 : id,
    flags: (entry.referral ? 0 : AUTHORITATIVE_ANSWER) | RCODES[entry.rcode ?? 'NOERROR'],
    questions,
    answers,
    authorities: found ? [] : authoritiesOf(owner, entry),
  });
  return entry.malformed ? message.subarray(0, message.length - 3) : message;
}

function answersOf(question: Question, entry: ZoneEntry, owner: string): Answer[] {
  const { mx = [], a = [], aaaa = [], ttl = 300, cname } = entry;
  const alias: Answer[] =
    cname === undefined ? [] : [{ type: 'CNAME', name: question.name, ttl, data: cname }];
  if (question.type === 'A') {
    return [...alias, ...a.map((data): Answer => ({ type: 'A', name: owner, ttl, data }))];
  }
  if (question.type === 'AAAA') {
    return [...alias, ...aaaa.map((data): Answer => ({ type: 'AAAA', name: owner, ttl, data }))];
  }
  if (question.type !== 'MX') return alias;
  const exchanges = mx.map((record): Answer => {
    const [preference, exchange = ''] = record.split(' ');
    return { type: 'MX', name: owner, ttl, data: { preference: Number(preference), exchange } };
  });
  return [...alias, ...exchanges, ...strayOf(entry)];
}

function inLowerCase(question: Question): Question {
  return { ...question, name: question.name.toLowerCase() };
}

function strayOf({ stray }: ZoneEntry): Answer[] {
  if (stray === undefined) return [];
  const [preference, exchange = ''] = stray.mx.split(' ');
  return [{ type: 'MX', name: stray.name, ttl: 300, data: { preference: Number(preference), exchange } }];
}

function authoritiesOf(name: string, { ttl = 300, noSoa, referral, soaOwner = name }: ZoneEntry): Answer[] {
  if (referral) return [{ type: 'NS', name, ttl, data: 'ns.example.net' }];
  if (noSoa) return [];
  const data = { mname: 'ns.example.net', rname: 'hostmaster.example.net', minimum: ttl };
  return [
    { type: 'SOA', name: soaOwner, ttl, data: { ...data, serial: 1, refresh: 1, retry: 1, expire: 1 } },
  ];
}

function truncated(query: Buffer): Buffer {
  const { id = 0, questions = [] } = decode(query);
  return encode({ type: 'response', id, flags: TRUNCATED_RESPONSE, questions });
}

function bare(id: number, rcode: number): Buffer {
  return encode({ type: 'response', id, flags: rcode });
}

function forge(udp: Socket, kind: string, query: Buffer, port: number): void {
  const { id = 0, questions = [] } = decode(query);
  const spelling = questions[0]?.name ?? '';
  const name =
    kind === 'wrong_question' ? 'other.example.net' : kind === 'wrong_case' ? swapCase(spelling) : spelling;
  const data = { preference: 1, exchange: 'forged.example.net' };
  const message = encode({
    type: kind === 'no_response' ? 'query' : 'response',
    id: kind === 'wrong_id' ? id ^ 1 : id,
    questions: [{ name, type: 'MX', class: kind === 'wrong_class' ? 'CH' : 'IN' }],
    answers: [{ type: 'MX', name, ttl: 300, data }],
  });
  const datagram = kind === 'garbage' ? Buffer.from('not a DNS message at all') : message;
  if (kind === 'other_port') {
    const stranger = createSocket('udp4');
    stranger.send(datagram, port, HOST, () => stranger.close());
  } else {
    udp.send(datagram, port, HOST);
  }
}

function swapCase(name: string): string {
  return [...name]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
