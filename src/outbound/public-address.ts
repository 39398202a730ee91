/** Decides which addresses a URL of a stranger may lead to: public ones, and none that tunnels to another. */
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
