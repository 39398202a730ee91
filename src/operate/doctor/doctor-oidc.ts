/** Decides what `gatehouse doctor` says about the OpenID provider that people sign in at. */
import { oidcProviderOf } from '../../accounts/oidc-provider.ts';
import type { Config } from '../../config/config.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { createWebClient } from '../../outbound/web-client.ts';
import { type DoctorVerdict, toCheck } from './to-check.ts';

const ADVICE =
  'compare GATEHOUSE_OIDC_ISSUER with the provider’s /.well-known/openid-configuration: docs/sso.md';

/** One line where a provider is set; it is asked as a sign-in asks it, up to the address that people are sent to. */
export async function examineOidc(config: Config): Promise<DoctorCheck[]> {
  if (config.oidcIssuer === null) return [];
  const web = createWebClient({ proxies: config });
  try {
    return [toCheck('sign-in', await judge(config, web))];
  } finally {
    web.close();
  }
}

async function judge(config: Config, web: Parameters<typeof oidcProviderOf>[1]): Promise<DoctorVerdict> {
  const provider = oidcProviderOf(config, web);
  if (provider === undefined) return ['failed', 'GATEHOUSE_OIDC_ISSUER is not complete', ADVICE];
  const { issuer, redirectUri } = provider.settings;
  try {
    await provider.begin();
  } catch (error) {
    return ['failed', (error as Error).message, ADVICE];
  }
  const found = `${issuer} answers; redirect URI ${redirectUri}`;
  if (config.oidcRoles.length > 0 || config.hasPasswords) return ['ok', `${found}; ${rolesOf(config)}`];
  return ['warning', `${found}; no group gives a role`, 'set GATEHOUSE_OIDC_ROLES, or invite people'];
}

function rolesOf({ oidcRoles, hasPasswords }: Config): string {
  const groups = new Set(oidcRoles.map(({ group }) => group)).size;
  return `${groups === 1 ? '1 group gives' : `${groups} groups give`} roles; passwords ${hasPasswords ? 'on' : 'off'}`;
}
