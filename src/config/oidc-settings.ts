/** The settings of sign-in at an OpenID provider. */
import type { GroupRole } from '../model/group-role.ts';
import { ROLES } from '../model/role.ts';
import { hasScheme, oneOf, readSwitch } from './read-values.ts';
import { confidential, setting } from './setting.ts';

/** Names that lead to this machine: there a provider for tests may do without TLS. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const MAX_LABEL = 40;
const ACCOUNT_ID = /^acc_[\w-]+$/;

export const OIDC_SETTINGS = {
  oidcIssuer: setting(
    'GATEHOUSE_OIDC_ISSUER',
    'off',
    'OpenID provider at which people [sign in to the dashboard](sso.md): its issuer, `https://login.example.com/realms/shop`. It may be on a private address. `off`: people sign in with passwords alone.',
    (text = 'off') => (text === 'off' ? null : readIssuer(text)),
  ),
  oidcClientId: setting(
    'GATEHOUSE_OIDC_CLIENT_ID',
    'none',
    'Id of Gatehouse as a client of this provider. Needed with `GATEHOUSE_OIDC_ISSUER`.',
    (text = 'none') => {
      if (!/^[\x20-\x7e]+$/.test(text)) throw new Error('must be of plain characters');
      return text === 'none' ? null : text;
    },
  ),
  oidcClientSecret: confidential(
    'GATEHOUSE_OIDC_CLIENT_SECRET',
    'none',
    'Secret of this client. `none`: the provider knows it as a public client.',
    (text = 'none') => {
      if (!/^[\x20-\x7e]+$/.test(text)) throw new Error('must be a secret of plain characters, or `none`');
      return text === 'none' ? null : text;
    },
  ),
  oidcScopes: setting(
    'GATEHOUSE_OIDC_SCOPES',
    'openid email profile',
    'Scopes to ask for, separated by spaces, with `openid`. Some providers send groups only with one more.',
    (text = 'openid email profile') => {
      const scopes = text.split(/\s+/);
      if (!scopes.includes('openid') || !scopes.every((scope) => SCOPE.test(scope)))
        throw new Error('must be scopes separated by spaces, with `openid` among them');
      return scopes.join(' ');
    },
  ),
  oidcGroupsClaim: setting(
    'GATEHOUSE_OIDC_GROUPS_CLAIM',
    'groups',
    'Claim with the groups of a person, a list of texts: `groups`, or a path such as `realm_access.roles`.',
    (text = 'groups') => {
      if (!/^\S{1,200}$/.test(text)) throw new Error('must be the name of a claim');
      return text;
    },
  ),
  oidcRoles: setting(
    'GATEHOUSE_OIDC_ROLES',
    'none',
    `Roles that groups give, separated by semicolons: \`GROUP=ROLE\` in every account, \`GROUP=ROLE@ACCOUNT_ID\` in one. Roles: ${ROLES.map((role) => `\`${role}\``).join(', ')}. [How they follow the groups](sso.md#groups-and-roles).`,
    (text = 'none') => (text === 'none' ? [] : text.split(';').flatMap(readGroupRole)),
  ),
  oidcLabel: setting(
    'GATEHOUSE_OIDC_LABEL',
    'single sign-on',
    'Name of the provider on the sign-in page, after “Sign in with”.',
    (text = 'single sign-on') => {
      if (text.length > MAX_LABEL || /\p{C}/u.test(text))
        throw new Error(`must have at most ${MAX_LABEL} printable characters`);
      return text;
    },
  ),
  hasPasswords: setting(
    'GATEHOUSE_PASSWORDS',
    'on',
    'Whether people may sign in with a password. `off` needs `GATEHOUSE_OIDC_ISSUER`. [Before you switch them off](sso.md#without-passwords).',
    (text = 'on') => readSwitch(text),
  ),
} as const;

function readIssuer(text: string): string {
  const isLoopback = hasScheme(text, ['http:']) && LOOPBACK.test(new URL(text).hostname);
  const url = hasScheme(text, ['https:']) || isLoopback ? new URL(text) : undefined;
  if (url === undefined || /[?#]/.test(text) || url.username !== '' || url.password !== '')
    throw new Error('must be the https URL of an issuer, without query and user, or `off`');
  return text;
}

/** `GROUP=ROLE` or `GROUP=ROLE@ACCOUNT_ID`. Names of groups may have `=` and `,`, as those of LDAP do. */
function readGroupRole(entry: string): GroupRole[] {
  if (entry.trim() === '') return [];
  const at = entry.lastIndexOf('=');
  const group = entry.slice(0, Math.max(at, 0)).trim();
  const [role = '', accountId = null, ...more] = entry.slice(at + 1).split('@');
  const fits = group !== '' && more.length === 0 && (accountId === null || ACCOUNT_ID.test(accountId.trim()));
  if (!fits)
    throw new Error('must be a list like `gatehouse-admins=owner; fraud-team=analyst@acc_01J…`, or `none`');
  return [{ group, role: oneOf(role.trim(), ROLES), accountId: accountId?.trim() ?? null }];
}
