// Hooks of an attacked service, and deliveries that Supabase would sign.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatehouse } from '../process.mjs';
import { ask } from './sockets.mjs';

const GIVE_UP_MS = 10_000;

/** Creates a hook beside the running service. Returns its path. */
export function createHook({ environment, account }, provider, secret) {
  const { id } = gatehouse(
    ['hook', 'create', '--account', account, '--provider', provider, '--name', provider, '--secret', secret],
    environment,
  );
  return `/hooks/${provider}/${id}`;
}

export const makeSecret = () => `v1,whsec_${randomBytes(32).toString('base64')}`;

/** Delivers a signup as Supabase does, before it creates the user. */
export function deliver(target, path, secret, { email, ip }) {
  const id = randomUUID();
  const at = String(Math.floor(Date.now() / 1000));
  const body = {
    metadata: { uuid: id, name: 'before-user-created', ip_address: ip },
    user: { id: randomUUID(), email, app_metadata: { provider: 'email', providers: ['email'] } },
  };
  const key = Buffer.from(secret.slice('v1,whsec_'.length), 'base64');
  const mac = createHmac('sha256', key)
    .update(`${id}.${at}.${JSON.stringify(body)}`)
    .digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
  return ask(target, path, { method: 'POST', headers, body });
}

/** Waits until the running service knows the hook. */
export async function untilKnown(target, path, secret) {
  const end = Date.now() + GIVE_UP_MS;
  const signup = { email: 'first@example.com', ip: '79.192.0.9' };
  for (;;) {
    const { status } = await deliver(target, path, secret, signup);
    if (status === 200) return;
    if (Date.now() > end) throw new Error(`a signed delivery was answered ${status}`);
    await sleep(200);
  }
}
