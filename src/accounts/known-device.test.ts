/** Known devices: which user the cookie belongs to, how long it is valid, and that it cannot be forged. */
import { describe, expect, it } from 'vitest';
import { createKnownDevices } from './known-device.ts';

const DAY_MS = 86_400_000;
const START = 1_800_000_000_000;
const EMAIL = 'operator@example.com';
const SECRET = Buffer.alloc(32, 7);

function world(secret = SECRET) {
  let now = START;
  let password = 'hash of the first password';
  const devices = createKnownDevices({ secret, clock: () => now, passwordHashOf: async () => password });
  const cookieOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf(';'));
  return {
    devices,
    at: (time: number) => {
      now = time;
    },
    changePassword: () => {
      password = 'hash of another';
    },
    remember: async (email = EMAIL, before?: string) => cookieOf(await devices.remember(before, email)),
  };
}

describe('a device that signed in before', () => {
  it('is recognised for its user only, also beside other cookies', async () => {
    const { devices, remember } = world();
    const cookie = await remember();
    expect(await devices.recognise(`a=b; ${cookie}; c=d`, EMAIL)).toMatch(/^[\w-]{16}$/);
    expect(await devices.recognise(cookie, 'other@example.com')).toBeUndefined();
    expect(await devices.recognise(undefined, EMAIL)).toBeUndefined();
    const [, value] = cookie.split('=') as [string, string];
    const [name] = (await remember('other@example.com')).split('=') as [string];
    expect(await devices.recognise(`${name}=${value}`, 'other@example.com')).toBeUndefined();
  });

  it('keeps its identity when it signs in again, and is forgotten after half a year without a sign-in', async () => {
    const { devices, remember, at } = world();
    const first = await remember();
    const id = await devices.recognise(first, EMAIL);
    at(START + 179 * DAY_MS);
    const second = await remember(EMAIL, first);
    at(START + 181 * DAY_MS);
    expect(await devices.recognise(first, EMAIL)).toBeUndefined();
    expect(await devices.recognise(second, EMAIL)).toBe(id);
  });

  it('is no longer known after the password changed', async () => {
    const { devices, remember, changePassword } = world();
    const cookie = await remember();
    changePassword();
    expect(await devices.recognise(cookie, EMAIL)).toBeUndefined();
    expect(await devices.recognise(await remember(EMAIL, cookie), EMAIL)).toBeDefined();
  });

  it('has a cookie that scripts and other sites cannot read, and that does not show the email', async () => {
    const cookie = await world().devices.remember(undefined, EMAIL);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/dashboard', 'Max-Age=15552000'])
      expect(cookie).toContain(attribute);
    expect(cookie).not.toContain('operator');
  });

  it('cannot be forged', async () => {
    const { devices, remember } = world();
    const cookie = await remember();
    const [name, value] = cookie.split('=') as [string, string];
    const [id, since, signature] = value.split('.') as [string, string, string];
    for (const forged of [
      '',
      'x',
      'x.y.z',
      `${id}.${since}`,
      `${id}.${since}.`,
      `${id}.${Number(since) + 1}.${signature}`,
      `A${id.slice(1)}x.${since}.${signature}`,
      `${id}.${since}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
    ])
      expect(await devices.recognise(`${name}=${forged}`, EMAIL), forged).toBeUndefined();
    expect(await devices.recognise(await world(Buffer.alloc(32, 8)).remember(), EMAIL)).toBeUndefined();
  });
});
