/** Decides whether a user has signed in from this browser before: by a signed cookie that names the user and gives no access. */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export interface KnownDevices {
  /** The id under which failures of a known device are counted; `undefined` if the device is not known. */
  recognise(cookies: string | undefined, email: string): Promise<string | undefined>;
  /** A `Set-Cookie` header for somebody who has just signed in; a device that is known keeps its identity. */
  remember(cookies: string | undefined, email: string): Promise<string>;
}

export interface KnownDevicesOptions {
  /** The installation's secret: nothing of a device is stored. */
  readonly secret: Buffer;
  readonly clock: () => number;
  /** Part of the signed text: after a change of password no device is known. */
  readonly passwordHashOf: (email: string) => Promise<string | undefined>;
}

const REMEMBERED_S = 180 * 86_400;
const ID_BYTES = 12;

export function createKnownDevices(options: KnownDevicesOptions): KnownDevices {
  const { secret, clock, passwordHashOf } = options;
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse known devices', 32));
  const sign = (...words: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(words)).digest('base64url');
  /** One cookie a user: people may share a browser. */
  const nameFor = (email: string) => `gatehouse.device_${sign('user', email).slice(0, 12)}`;

  const signDevice = async (email: string, id: string, since: string) =>
    sign('device', email, id, since, (await passwordHashOf(email)) ?? '');

  async function recognise(cookies: string | undefined, email: string): Promise<string | undefined> {
    const value = readCookie(cookies, nameFor(email));
    const [id, since, signature] = value?.split('.') ?? [];
    if (id === undefined || since === undefined || signature === undefined) return undefined;
    // Whether there is such a user is asked only for a cookie of theirs, whose name cannot be guessed.
    const expected = Buffer.from(await signDevice(email, id, since));
    const received = Buffer.from(signature);
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
    return Number(since) + REMEMBERED_S * 1000 > clock() ? id : undefined;
  }

  return {
    recognise,
    async remember(cookies, email) {
      const id = (await recognise(cookies, email)) ?? randomBytes(ID_BYTES).toString('base64url');
      const since = String(clock());
      const value = `${id}.${since}.${await signDevice(email, id, since)}`;
      return `${nameFor(email)}=${value}; Max-Age=${REMEMBERED_S}; Path=/dashboard; HttpOnly; SameSite=Lax`;
    },
  };
}

function readCookie(cookies: string | undefined, name: string): string | undefined {
  return cookies
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
