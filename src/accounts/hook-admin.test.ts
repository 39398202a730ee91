import { describe, expect, it } from 'vitest';
import { createMakeId } from '../contract/identifiers.ts';
import type { Hook, HookProvider } from '../model/hook.ts';
import { createHookAdmin } from './hook-admin.ts';
import { createSecretBox } from './secret-box.ts';

const NOW = Date.UTC(2026, 4, 10);
const INSIDE = 'http://169.254.169.254/keys';
const OUTSIDE = 'https://auth.example/keys';
const ID = '11112222-bbbb-3333-cccc-4444dddd5555';
const SECRETS: Partial<Record<HookProvider, [string, string]>> = {
  neon: [INSIDE, OUTSIDE],
  fusionauth: [INSIDE, OUTSIDE],
  entra: [`tenant=${ID} audience=${ID} jwks=${INSIDE}`, `tenant=${ID} audience=${ID}`],
  kratos: ['the text of the old secret', 'the text of the new secret'],
};

const admin = createHookAdmin({
  store: { saveHook: async () => {}, changeHook: async () => {} },
  box: createSecretBox(Buffer.alloc(32, 1)),
  makeId: createMakeId(),
});

/** The old secret that is valid after a rotation. */
async function rotated(provider: HookProvider, from: Hook['reach'], to: Hook['reach']) {
  const [before, after] = SECRETS[provider] as [string, string];
  const details: string[] = [];
  const audit = (action: string, target: string, detail: string) => {
    details.push(detail);
    return { accountId: 'acc_1', at: NOW, actor: 'tests', action, target, detail } as never;
  };
  const settings = { provider, name: 'form', mode: 'live', challengeAs: 'allow', onError: 'allow' } as const;
  const made = await admin.create(
    { ...settings, accountId: 'acc_1', secret: before, reach: from },
    NOW,
    audit,
  );
  const { hook } = await admin.rotate(made.hook, { secret: after, reach: to, atOnce: false }, NOW, audit);
  return { old: hook.secrets.previous, detail: details[1] };
}

describe('a rotation', () => {
  it.each(['neon', 'fusionauth', 'entra'] as const)(
    'of %s by an operator drops a URL saved from the dashboard, which could now lead to the internal network',
    async (provider) => {
      const refused = { old: null, detail: 'old secret refused' };
      expect(await rotated(provider, 'public', 'anywhere')).toEqual(refused);
      for (const [from, to] of [
        ['public', 'public'],
        ['anywhere', 'public'],
        ['anywhere', 'anywhere'],
      ] as const)
        expect(await rotated(provider, from, to)).toMatchObject({ detail: 'old secret valid for a day' });
    },
  );

  it('keeps an old secret that is not a URL valid for a day', async () => {
    expect(await rotated('kratos', 'public', 'anywhere')).toMatchObject({
      detail: 'old secret valid for a day',
    });
  });
});
