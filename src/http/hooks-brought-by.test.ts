import { describe, expect, it } from 'vitest';
import type { HookProvider } from '../model/hook.ts';
import { HOOK_CONTRACTS } from './hooks-providers.ts';

const EMAIL = 'jo@quiet-harbour-works.com';
const supabase = (user: object) => ({
  metadata: { name: 'before-user-created', ip_address: '203.0.113.7' },
  user: { email: EMAIL, ...user },
});
const workos = (more: object) => ({
  id: 'action_1',
  object: 'user_registration_action_context',
  user_data: { email: EMAIL },
  ...more,
});
const zitadel = (method: string, request: object = { email: { email: EMAIL } }) => ({
  fullMethod: `/zitadel.${method}`,
  request,
});
const fusionauth = (event: object) => ({
  event: { type: 'user.create', user: { email: EMAIL }, ...event },
});

describe('who brings a person', () => {
  it.each<[HookProvider, string, unknown, string | undefined]>([
    [
      'workos',
      'an invitation',
      workos({ invitation: { object: 'invitation', id: 'invitation_1' } }),
      'member',
    ],
    ['workos', 'an invitation that is null', workos({ invitation: null }), undefined],
    ['workos', 'an invitation of another type', workos({ invitation: true }), undefined],
    ['workos', 'no invitation', workos({}), undefined],
    [
      'supabase',
      'a sign-in by SAML or SCIM',
      supabase({ app_metadata: { provider: 'sso:1f3' } }),
      'directory',
    ],
    ['supabase', 'an invited user', supabase({ invited_at: '2026-05-10T10:14:33Z' }), 'admin'],
    ['supabase', 'a form', supabase({ app_metadata: { provider: 'email' } }), undefined],
    [
      'supabase',
      'a name that a person wrote',
      supabase({ user_metadata: { provider: 'sso:1f3' } }),
      undefined,
    ],
    ['kratos', 'what the Jsonnet says', { email: EMAIL, brought_by: 'directory' }, 'directory'],
    ['kratos', 'another word', { email: EMAIL, brought_by: 'me' }, undefined],
    ['kratos', 'another type', { email: EMAIL, brought_by: { admin: true } }, undefined],
    ['zitadel', 'an import', zitadel('management.v1.ManagementService/ImportHumanUser'), 'admin'],
    ['zitadel', 'the console', zitadel('management.v1.ManagementService/AddHumanUser'), 'admin'],
    ['zitadel', 'a page or a program', zitadel('user.v2.UserService/AddHumanUser'), undefined],
    ['fusionauth', 'an API request', fusionauth({ info: { data: { brought_by: 'member' } } }), 'member'],
    [
      'fusionauth',
      'a field of a form',
      fusionauth({ user: { email: EMAIL, data: { brought_by: 'admin' } } }),
      undefined,
    ],
  ])('%s: %s', (provider, _name, body, broughtBy) => {
    expect(HOOK_CONTRACTS[provider].read(body, {}, {})?.signup).toMatchObject({ email: EMAIL });
    expect(HOOK_CONTRACTS[provider].read(body, {}, {})?.signup?.broughtBy).toBe(broughtBy);
  });

  it('reads no method of Zitadel by a name that every object has', () => {
    expect(
      HOOK_CONTRACTS.zitadel.read({ fullMethod: 'constructor', request: {} }, {}, {})?.signup,
    ).toBeNull();
  });
});
