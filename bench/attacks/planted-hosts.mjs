// Bought, listed domains name a bystander's mail server, by name and by address; one domain clears a disposable mail host.
import { createSocket } from 'node:dgram';
import packet from 'dns-packet';
import { startTarget } from '../attack-parts/target.mjs';
import { gatehouse } from '../process.mjs';

const LISTED = [
  'mailinator.com',
  'yopmail.com',
  'guerrillamail.com',
  'trashmail.com',
  'sharklasers.com',
  'maildrop.cc',
  'getnada.com',
  '10minutemail.com',
];
const CUSTOMERS = 20;
const FOLLOWED_MS = 1_500;
const ADDRESSES_MS = 2_000;

export const attack = {
  what: 'Two bought, listed domains name a bystander’s mail server, seen by two accounts; then eight such domains in one account; then eight whose own hosts have its address; then one unlisted domain is the first seen at a disposable mail host of eight listed ones. 20 signups of two accounts each',
  before:
    'challenged customers of the bystander: 20, 20 and 20 of 20; recognised disposable domains: 0 of 20',
  async run() {
    const zone = new Map();
    const dns = await startZone(zone);
    const target = await startTarget({ plan: 'business', env: { GATEHOUSE_DNS_SERVERS: dns.address } });
    const keys = [target.key, await secondKey(target.environment)];
    const flagged = (domain, mx, key) => assess(target, zone, { domain, mx, key });
    async function count(name, mxOf) {
      let found = 0;
      for (let at = 0; at < CUSTOMERS; at += 1) {
        const domain = `${name}-${at}-harbour.com`;
        if (await flagged(domain, mxOf(domain), keys[at % 2])) found += 1;
      }
      return found;
    }
    async function plant(name, listed, mxOf, by) {
      for (const domain of listed)
        for (const key of by) await flagged(`${name}.${domain}`, mxOf(domain), key);
    }
    zone.set('mx.third-bystander.com', { a: '198.51.100.7' });
    for (const domain of LISTED) zone.set(`mx.own-${domain}`, { a: '198.51.100.7' });

    await plant('a', LISTED.slice(0, 2), () => 'mx.first-bystander.com', keys);
    const byTwo = await count('one', () => 'mx.first-bystander.com');
    await plant('b', LISTED, () => 'mx.second-bystander.com', keys.slice(1));
    const byOneAccount = await count('two', () => 'mx.second-bystander.com');
    await plant('c', LISTED, (domain) => `mx.own-${domain}`, keys);
    await flagged('first-harbour.com', 'mx.third-bystander.com', keys[0]);
    await new Promise((resolve) => setTimeout(resolve, ADDRESSES_MS));
    const byAddress = await count('three', () => 'mx.third-bystander.com');
    await flagged('innocent-harbour.com', 'mx.throw-away-harbour.com', keys[0]);
    await plant('d', LISTED, () => 'mx.throw-away-harbour.com', keys);
    const recognised = await count('four', () => 'mx.throw-away-harbour.com');
    dns.close();

    const all = `of ${CUSTOMERS}`;
    const seen = `challenged customers of the bystander: ${byTwo}, ${byOneAccount} and ${byAddress} ${all}; recognised disposable domains: ${recognised} ${all}`;
    const failures = [];
    if (byTwo + byOneAccount + byAddress > 0) failures.push('honest customers were challenged');
    if (recognised < CUSTOMERS) failures.push('one domain cleared a disposable mail host');
    return { seen, failures };
  },
};

async function assess({ port }, zone, { domain, mx, key }) {
  zone.set(domain, { mx });
  const answer = await fetch(`http://127.0.0.1:${port}/v1/assess`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `jo@${domain}` }),
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()).signals.email.disposable;
}

async function secondKey(environment) {
  const account = gatehouse(['account', 'create', '--name', 'another', '--plan', 'business'], environment);
  const words = ['key', 'create', '--account', account.id, '--mode', 'live', '--name', 'another'];
  const { key } = gatehouse(words, environment);
  await new Promise((resolve) => setTimeout(resolve, FOLLOWED_MS));
  return key;
}

/** A resolver that answers from `zone`, whatever the case of a question's letters; a large provider handles the mail of every other name. */
function startZone(zone) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions } = packet.decode(message);
    const [{ name, type }] = questions;
    const { mx = 'aspmx.l.google.com', a } = zone.get(name.toLowerCase()) ?? {};
    const exchange = { type: 'MX', name, ttl: 3600, data: { preference: 10, exchange: mx } };
    const answers =
      type === 'MX'
        ? [exchange]
        : type === 'A' && a !== undefined
          ? [{ type, name, ttl: 3600, data: a }]
          : [];
    const reply = { type: 'response', id, flags: packet.RECURSION_AVAILABLE, questions, answers };
    socket.send(packet.encode(reply), port, address);
  });
  return new Promise((resolve) => {
    socket.bind(0, '127.0.0.1', () => {
      resolve({ address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() });
    });
  });
}
