import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../accounts/secret-box.ts';
import type { AccountCall, AccountRoute, DashboardRoutes } from './dashboard-route.ts';
import { createUndoTokens, type UndoRouteOptions, undoRoute } from './dashboard-undo.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const DONE = { accountId: 'acc_a', userId: 'usr_a', reports: [], saved: [] };
const box = createSecretBox(randomBytes(32));

/** Sends a token, which takes nothing back. */
function send(token: string, { account = 'acc_a', user = 'usr_a', now = NOW } = {}) {
  let route: AccountRoute<{ readonly token: string }> | undefined;
  const routes = { forAccount: (added: typeof route) => (route = added) };
  undoRoute(routes as unknown as DashboardRoutes, { box, store: {} } as unknown as UndoRouteOptions);
  const call = { account: { id: account }, user: { id: user }, role: 'member', body: { token }, now };
  return route?.handle(call as unknown as AccountCall<{ readonly token: string }>);
}

describe('a token that takes a change back', () => {
  const token = createUndoTokens(box).make(DONE, NOW);

  it('works for a minute', async () => {
    await expect(send(token)).resolves.toBeUndefined();
    await expect(send(token, { now: NOW + 60_000 })).resolves.toBeUndefined();
    await expect(send(token, { now: NOW + 60_001 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is of one person and one account', async () => {
    await expect(send(token, { user: 'usr_b' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(send(token, { account: 'acc_b' })).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('cannot be made by others, or changed', async () => {
    const foreign = createUndoTokens(createSecretBox(randomBytes(32))).make(DONE, NOW);
    const secretOfHook = box.encrypt(JSON.stringify({ ...DONE, until: NOW + 1 }), 'acc_a');
    const changed = `${token.slice(0, -2)}${token.endsWith('A') ? 'BB' : 'AA'}`;
    for (const text of [foreign, secretOfHook, changed, '', 'v1.', 'x'.repeat(50_000)])
      await expect(send(text)).rejects.toMatchObject({ code: 'invalid_value' });
  });
});
