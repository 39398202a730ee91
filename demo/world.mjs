// The outside world for the demo's service: a resolver and a registry on loopback, with answers for every domain.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import packet from 'dns-packet';

const NXDOMAIN = 3;
const TTL = 3_600;
const HOST = '127.0.0.1';
const REGISTRIES = ['com', 'net', 'org', 'io', 'uk', 'fr', 'nl', 'ca', 'pr'];

/**
 * `domains`: name → `{ mx, registeredAt, silent }`. `mx` lists exchanges, `[]` means none, `['.']` is a null MX;
 * `silent`: no answer. Names that are missing do not exist; the name of an exchange has an address. `registries`: the
 * top-level domains of which the registry knows names.
 */
export async function startWorld(domains, registries = REGISTRIES) {
  const exchanges = new Set([...domains.values()].flatMap(({ mx }) => mx));
  const dns = createSocket('udp4');
  dns.on('message', (message, { port, address }) => {
    const query = packet.decode(message);
    const answer = answerOf(query, domains, exchanges);
    if (answer !== undefined) dns.send(packet.encode(answer), port, address);
  });
  await new Promise((resolve) => dns.bind(0, HOST, resolve));
  const registry = createServer((request, response) =>
    answerRegistry(request.url, response, { domains, registries }),
  );
  await new Promise((resolve) => registry.listen(0, HOST, resolve));
  return {
    dnsServer: `${HOST}:${dns.address().port}`,
    rdapBootstrapUrl: `http://${HOST}:${registry.address().port}/dns.json`,
    async close() {
      dns.close();
      registry.closeAllConnections();
      await new Promise((resolve) => registry.close(resolve));
    },
  };
}

function answerOf({ id, questions }, domains, exchanges) {
  const [{ name, type }] = questions;
  const known = domains.get(name.toLowerCase());
  if (known?.silent) return undefined;
  const answers = [];
  if (type === 'MX')
    for (const [index, exchange] of (known?.mx ?? []).entries())
      answers.push({ type, name, ttl: TTL, data: { preference: 10 * (index + 1), exchange } });
  if (type === 'A' && exchanges.has(name)) answers.push({ type, name, ttl: TTL, data: addressOf(name) });
  const exists = known !== undefined || exchanges.has(name) || type === 'NS';
  const soa = {
    mname: `ns.${name}`,
    rname: `host.${name}`,
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: TTL,
  };
  return {
    type: 'response',
    id,
    flags: packet.RECURSION_AVAILABLE | (exists ? 0 : NXDOMAIN),
    questions,
    answers,
    authorities: answers.length > 0 ? [] : [{ type: 'SOA', name, ttl: TTL, data: soa }],
  };
}

/** Each exchange has its own address. */
function addressOf(name) {
  let sum = 7;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 65_536;
  return `198.18.${sum >> 8}.${sum & 255}`;
}

function answerRegistry(path, response, { domains, registries }) {
  response.setHeader('Content-Type', 'application/rdap+json');
  if (path === '/dns.json') {
    const base = `http://${HOST}:${response.socket.localPort}/`;
    response.end(JSON.stringify({ version: '1.0', services: [[registries, [base]]] }));
    return;
  }
  const name = decodeURIComponent(path.split('/').at(-1));
  const registeredAt = domains.get(name)?.registeredAt;
  if (registeredAt === undefined) {
    response.writeHead(404).end(JSON.stringify({ errorCode: 404, title: 'not found' }));
    return;
  }
  const events = [{ eventAction: 'registration', eventDate: new Date(registeredAt).toISOString() }];
  response.end(JSON.stringify({ objectClassName: 'domain', ldhName: name, events }));
}
