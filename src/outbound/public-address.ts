/** Decides which addresses are public: those that a stranger's URL may lead to, and none that tunnels to another. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isDocumentation, readIp } from '../address/ip.ts';

const SIX_TO_FOUR = 0x2002;
const TEREDO = 0x20010000;

/** False also for what is no address. IPv4-mapped and NAT64 addresses count as the IPv4 address they carry. */
export function isPublicAddress(text: string): boolean {
  const reading = readIp(text);
  if (reading.status !== 'ok') return false;
  const { version, words } = reading.address;
  const [first = 0] = words;
  // A relay on the way unpacks them: they may lead to any IPv4 address.
  const tunnels = version === 6 && (first >>> 16 === SIX_TO_FOUR || first === TEREDO);
  return !tunnels && !isDocumentation(reading.address);
}

/** Endings that no registry gives away: RFC 6761, RFC 6762, RFC 8375, `.internal` of ICANN, and what routers and offices use. */
const INSIDE_ENDINGS = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'corp',
  'home',
  'home.arpa',
  'private',
];

/** Whether a name cannot be one of the public Internet, wherever it is looked up. */
export function isInsideName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || INSIDE_ENDINGS.some((ending) => name.endsWith(`.${ending}`));
}

/** Looks at all addresses of its host. `undefined` when the host cannot be looked up. */
export async function leadsInside(url: URL): Promise<boolean | undefined> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return !isPublicAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length === 0 ? undefined : found.every(({ address }) => !isPublicAddress(address));
}

/** Host of a URL: a name or an address, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
