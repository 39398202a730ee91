/** An IP address and a range of them: text → one canonical form, without a library of the runtime. */

export interface IpAddress {
  /** `203.0.113.7` or, for IPv6, as RFC 5952 writes it. */
  readonly text: string;
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
}

/** A block of addresses. */
export interface IpRange {
  readonly bytes: readonly number[];
  readonly prefixBits: number;
}

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`);
/** `[2001:db8::1]:443` and `203.0.113.7:51234`, as some proxies write; RFC 7239 also allows `203.0.113.7:_hidden`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::(?:\d{1,5}|_[\w.-]+))?$/;
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];
const MAPPED_BITS = MAPPED_PREFIX.length * 8;
/** `64:ff9b::/96` (RFC 6052) and `64:ff9b:1::/48` (RFC 8215, with a /96 for each site). */
const NAT64_PREFIXES = [
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0x64, 0xff, 0x9b, 0, 1],
];

/** Reads an address, with or without a port. IPv4 inside IPv6 (`::ffff:…`) is that IPv4 address. */
export function parseIpAddress(text: string): IpAddress | null {
  const trimmed = text.trim();
  const [, bracketed, v4] = WITH_PORT.exec(trimmed) ?? [];
  const address = bracketed ?? v4 ?? trimmed;
  const bytes = parseIpv4(address) ?? parseIpv6(address);
  if (bytes === null) return null;
  if (bytes.length === 4) return { text: bytes.join('.'), bytes };
  if (beginsWith(bytes, MAPPED_PREFIX)) return lastFour(bytes);
  return { text: new URL(`http://[${withoutZone(address)}]`).hostname.slice(1, -1), bytes };
}

/** An IPv4 address that NAT64 wrote into an IPv6 one is that IPv4 address. */
export function unwrapNat64(address: IpAddress): IpAddress {
  return NAT64_PREFIXES.some((prefix) => beginsWith(address.bytes, prefix))
    ? lastFour(address.bytes)
    : address;
}

/** Class E (240.0.0.0/4) is nobody's: Cloudflare writes such an address for a visitor with IPv6, as "Pseudo IPv4". */
export function isPseudoIpv4({ bytes }: IpAddress): boolean {
  return bytes.length === 4 && (bytes[0] as number) >= 240;
}

/** Reads `10.0.0.0/8`, `2001:db8::/32`, `::ffff:10.0.0.0/104` or one address. */
export function parseIpRange(text: string): IpRange | null {
  const [base = '', length, ...rest] = text.trim().split('/');
  const address = parseIpAddress(base);
  if (address === null || rest.length > 0) return null;
  const maxBits = address.bytes.length * 8;
  if (length === undefined) return { bytes: address.bytes, prefixBits: maxBits };
  if (!/^\d{1,3}$/.test(length)) return null;
  const isMapped = maxBits === 32 && base.includes(':');
  const prefixBits = Number(length) - (isMapped ? MAPPED_BITS : 0);
  return prefixBits < 0 || prefixBits > maxBits ? null : { bytes: address.bytes, prefixBits };
}

export function isInRange({ bytes }: IpAddress, range: IpRange): boolean {
  if (bytes.length !== range.bytes.length) return false;
  return bytes.every((byte, at) => {
    const bits = Math.min(8, Math.max(0, range.prefixBits - at * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((range.bytes[at] as number) & mask);
  });
}

function beginsWith(bytes: readonly number[], prefix: readonly number[]): boolean {
  return bytes.length === 16 && prefix.every((byte, at) => bytes[at] === byte);
}

function lastFour(bytes: readonly number[]): IpAddress {
  const inner = bytes.slice(12);
  return { text: inner.join('.'), bytes: inner };
}

function parseIpv4(text: string): number[] | null {
  return IPV4.exec(text)?.slice(1).map(Number) ?? null;
}

/** The runtime's URL parser validates, and writes the canonical form. */
function parseIpv6(text: string): number[] | null {
  if (!/^[\da-f:.]+(?:%[\w.-]+)?$/i.test(text) || !text.includes(':')) return null;
  let canonical: string;
  try {
    canonical = new URL(`http://[${withoutZone(text)}]`).hostname.slice(1, -1);
  } catch {
    return null;
  }
  const [head = '', tail] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups =
    tail === undefined
      ? (head as string[])
      : [...(head as string[]), ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** `fe80::1%eth0`: the interface is of no use to anybody else. */
function withoutZone(text: string): string {
  return text.replace(/%.*$/, '');
}
