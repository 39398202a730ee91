import { createSocket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from '../../../test/support/dns-server.ts';
import { createDnsClient, type DnsClient, type DnsClientOptions } from './dns-client.ts';
import type { DnsReply } from './dns-message.ts';
import { readServerAddress } from './dns-transport.ts';

const NAME = 'example.com';
let server: TestDnsServer;
let spare: TestDnsServer;
const clients: DnsClient[] = [];

beforeEach(async () => {
  server = await startDnsServer();
  spare = await startDnsServer();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
  await spare.close();
});

/** Long, so that no query is repeated on a busy machine. */
const PATIENT = { deadlineMs: 10_000, patienceMs: 20_000 };

function connect(options: Partial<DnsClientOptions> = {}): DnsClient {
  const client = createDnsClient({
    servers: [server.address],
    deadlineMs: 200,
    patienceMs: 400,
    ...options,
  });
  clients.push(client);
  return client;
}

async function ask(client: DnsClient, name = NAME): Promise<DnsReply | undefined> {
  return client.query(name, 'MX')?.reply;
}

function exchanges(reply: DnsReply | undefined): string[] {
  return (reply?.records ?? []).flatMap((record) => (record.type === 'MX' ? [record.data.exchange] : []));
}

describe('the content of a reply', () => {
  const cases: [string, ZoneEntry, Partial<DnsReply>][] = [
    ['records with their TTL', { mx: ['10 mx.example.com'], ttl: 77 }, { status: 'records', ttlSeconds: 77 }],
    ['a name without records', { ttl: 55 }, { status: 'no_records', ttlSeconds: 55 }],
    ['no such name', { rcode: 'NXDOMAIN', ttl: 44 }, { status: 'no_domain', ttlSeconds: 44 }],
    ['an absence without SOA', { rcode: 'NXDOMAIN', noSoa: true }, { status: 'no_domain', ttlSeconds: 0 }],
    [
      'an alias',
      { cname: 'mail.example.net', mx: ['10 mx.example.net'], ttl: 33 },
      { status: 'records', ttlSeconds: 33 },
    ],
    ['an alias to nowhere', { cname: 'x.example.net', rcode: 'NXDOMAIN' }, { status: 'no_records' }],
    ['SERVFAIL', { rcode: 'SERVFAIL' }, { status: 'failed' }],
    ['REFUSED', { rcode: 'REFUSED' }, { status: 'failed' }],
    ['a referral', { referral: true }, { status: 'failed' }],
    ['a body that cannot be decoded', { mx: ['10 mx.example.com'], malformed: true }, { status: 'failed' }],
    ['a server without EDNS', { mx: ['10 mx.example.com'], noEdns: true }, { status: 'records' }],
    ['nothing', { drop: true }, { status: 'silent' }],
  ];

  it.each(cases)('%s', async (_title, entry, expected) => {
    server.set(NAME, entry);
    expect(await ask(connect())).toMatchObject(expected);
  });

  it.each([
    ['A', '198.51.100.7'],
    ['AAAA', '2001:db8::7'],
  ] as const)('%s records', async (type, data) => {
    server.set(NAME, { cname: 'host.example.net', a: ['198.51.100.7'], aaaa: ['2001:db8::7'] });
    const reply = await connect().query(NAME, type)?.reply;
    expect(reply).toMatchObject({ status: 'records', records: [{ type, data }] });
  });

  it('treats letters in another case as the same question', async () => {
    server.set(NAME, { mx: ['10 mx.example.com'] });
    expect(await ask(connect(), 'EXAMPLE.com')).toMatchObject({ status: 'records' });
  });
});

describe('which packet is a reply', () => {
  it('asks again over TCP when the reply is truncated', async () => {
    const mx = Array.from({ length: 200 }, (_, at) => `${at} a-rather-long-name-number-${at}.example.com`);
    server.set(NAME, { mx, truncate: true });
    expect(exchanges(await ask(connect()))).toHaveLength(200);
    expect(server.tcpQueries).toBe(1);
  });

  it.each([
    ...(['garbage', 'no_response', 'wrong_id', 'wrong_question', 'wrong_class', 'other_port'] as const),
  ])('ignores %s', async (kind) => {
    server.set(NAME, { mx: ['10 mx.example.com'], forge: [kind, kind], delayMs: 20 });
    expect(exchanges(await ask(connect()))).toEqual(['mx.example.com']);
  });

  it('ignores an answer with another id over TCP, too', async () => {
    const mx = ['10 forged.example.net'];
    server.set(NAME, { truncate: true, overTcp: { mx, wrongId: true } });
    expect(await ask(connect())).toMatchObject({ status: 'failed', records: [] });
    expect(server.tcpQueries).toBe(1);
  });

  it('ignores a forged answer whose letters have another case, and asks over TCP', async () => {
    server.set(NAME, { mx: ['10 mx.example.com'], forge: ['wrong_case'], delayMs: 20 });
    expect(exchanges(await ask(connect(PATIENT)))).toEqual(['mx.example.com']);
    expect(server.tcpQueries).toBe(1);
  });

  it('asks over TCP if a server does not repeat the case of letters', async () => {
    server.set(NAME, { mx: ['10 mx.example.com'], foldsCase: true });
    expect(exchanges(await ask(connect(PATIENT)))).toEqual(['mx.example.com']);
    expect(server.tcpQueries).toBe(1);
  });

  it('ignores records of another name', async () => {
    server.set(NAME, { mx: [], stray: { name: 'other.example.net', mx: '1 forged.example.net' } });
    expect(await ask(connect())).toMatchObject({ status: 'no_records', records: [] });
  });

  it.each([
    ['com', 300],
    ['.', 300],
    [NAME, 300],
    ['other.example.net', 0],
    ['ple.com', 0],
  ])('caches an absence no longer than its own zone says: %s says so', async (soaOwner, ttlSeconds) => {
    server.set(NAME, { rcode: 'NXDOMAIN', soaOwner });
    expect(await ask(connect())).toMatchObject({ status: 'no_domain', ttlSeconds });
  });

  it('asks for a name in random case', async () => {
    const spellings = new Set<string>();
    server.onName = (name) => spellings.add(name);
    const name = 'a-rather-long-name-of-letters.example.com';
    server.set(name, { mx: ['10 mx.example.com'] });
    const client = connect();
    for (let at = 0; at < 5; at += 1) expect(exchanges(await ask(client, name))).toHaveLength(1);
    expect(spellings.size).toBe(5);
    expect(new Set([...spellings].map((each) => each.toLowerCase()))).toEqual(new Set([name]));
  });

  it('draws a new id and a new port for every query', async () => {
    const seen = new Set<string>();
    const socket = createSocket('udp4');
    const bound = new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    await bound;
    const all = new Promise<void>((done) => {
      socket.on('message', (query, from) => {
        seen.add(`${query.readUInt16BE(0)}:${from.port}`);
        if (seen.size === 20) done();
      });
    });
    const client = connect({ servers: [`127.0.0.1:${socket.address().port}`] });
    for (let at = 0; at < 20; at += 1) client.query(NAME, 'MX');
    await all;
    expect(new Set([...seen].map((pair) => pair.split(':')[0])).size).toBeGreaterThan(15);
    expect(new Set([...seen].map((pair) => pair.split(':')[1])).size).toBe(20);
    socket.close();
  });
});

describe('several servers', () => {
  it('asks the next one after a part of the deadline, and prefers it from then on', async () => {
    server.silent = true;
    spare.set(NAME, { mx: ['10 mx.example.com'] });
    const client = connect({ servers: [server.address, spare.address] });
    const start = Date.now();
    expect(await ask(client)).toMatchObject({ status: 'records' });
    expect(Date.now() - start).toBeLessThan(200);
    await ask(client);
    expect([server.queries(NAME), spare.queries(NAME)]).toEqual([1, 2]);
  });

  it('asks the next one at once if one fails', async () => {
    server.set(NAME, { rcode: 'SERVFAIL' });
    spare.set(NAME, { mx: ['10 mx.example.com'] });
    const client = connect({
      servers: [server.address, spare.address],
      deadlineMs: 60_000,
      patienceMs: 60_000,
    });
    expect(await ask(client)).toMatchObject({ status: 'records' });
  });

  it('asks a single server twice, because datagrams get lost, and then over TCP', async () => {
    server.silent = true;
    expect(await ask(connect())).toMatchObject({ status: 'silent' });
    expect([server.queries(NAME), server.tcpQueries]).toEqual([3, 1]);
  });

  it.each<[string, ZoneEntry]>([
    ['is malformed', { malformed: true }],
    ['is a failure', { rcode: 'SERVFAIL' }],
    ['does not come', { drop: true }],
  ])('asks once over TCP if the answer over UDP %s', async (_, overUdp) => {
    server.set(NAME, { ...overUdp, overTcp: { mx: ['10 mx.example.com'] } });
    expect(exchanges(await ask(connect()))).toEqual(['mx.example.com']);
    expect(server.tcpQueries).toBe(1);
    server.set(NAME, overUdp);
    expect((await ask(connect()))?.status).toMatch(/^(failed|silent)$/);
    expect(server.tcpQueries).toBe(2);
  });

  it('notices at once that nobody listens on a port', async () => {
    const { address } = await startDnsServer().then(async (closedServer) => {
      await closedServer.close();
      return closedServer;
    });
    const client = connect({ servers: [address], deadlineMs: 60_000, patienceMs: 60_000 });
    expect(await ask(client)).toMatchObject({ status: 'silent' });
  });

  it('gives no answer without any server', async () => {
    expect(await ask(connect({ servers: [] }))).toMatchObject({ status: 'silent' });
  });
});

describe('limits', () => {
  it('refuses a query above the limit', () => {
    server.silent = true;
    const client = connect({ maxInFlight: 2 });
    const refused = ['one', 'one', 'two', 'three'].map(
      (tenant) => client.query(NAME, 'MX', tenant) === undefined,
    );
    expect(refused).toEqual([false, true, false, true]);
  });

  it('drops a query that nobody waits for to make room', async () => {
    server.silent = true;
    const client = connect({ maxInFlight: 1, deadlineMs: 50, patienceMs: 60_000 });
    const first = client.query(NAME, 'MX');
    await new Promise<void>((turn) => client.waitForTurn('', turn));
    expect(client.query(NAME, 'MX')).toBeDefined();
    expect(await first?.reply).toMatchObject({ status: 'silent' });
  });

  it('ends everything on close', async () => {
    server.silent = true;
    const client = connect({ deadlineMs: 60_000, patienceMs: 60_000 });
    const pending = client.query(NAME, 'MX');
    client.close();
    expect(await pending?.reply).toMatchObject({ status: 'silent' });
    expect(client.query(NAME, 'MX')).toBeUndefined();
  });
});

describe('server addresses', () => {
  it.each([
    ['192.0.2.1', { address: '192.0.2.1', port: 53, family: 4 }],
    ['192.0.2.1:5353', { address: '192.0.2.1', port: 5353, family: 4 }],
    ['2001:db8::1', { address: '2001:db8::1', port: 53, family: 6 }],
    ['[2001:db8::1]', { address: '2001:db8::1', port: 53, family: 6 }],
    ['[2001:db8::1]:5353', { address: '2001:db8::1', port: 5353, family: 6 }],
  ])('reads %s', (text, expected) => {
    expect(readServerAddress(text)).toEqual(expected);
  });

  it.each(['', 'dns.example', '192.0.2.1:0', '192.0.2.1:70000', '[192.0.2.1]:53', '192.0.2.1:', '1.2.3'])(
    'refuses %s',
    (text) => {
      expect(readServerAddress(text)).toBeUndefined();
      expect(() => createDnsClient({ servers: [text], deadlineMs: 1 })).toThrow();
    },
  );
});
