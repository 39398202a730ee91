/** Microsoft Entra External ID: the event "attribute collection submit", with a token of the tenant. */
import { parseEntraSettings } from '../accounts/hook-secrets.ts';
import { memberAt, textAt } from './hooks-members.ts';
import {
  DENIAL_MESSAGE,
  DENIAL_TITLE,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { readTokenForm, type TokenForm } from './hooks-token-form.ts';

/** Microsoft's own application that calls custom authentication extensions, the same in all tenants. */
const CALLER = '99045fe1-7639-4a75-9d4a-577b6ca3810f';
const EVENT = 'microsoft.graph.authenticationEvent.attributeCollectionSubmit';
const RESPONSE = 'microsoft.graph.onAttributeCollectionSubmitResponseData';
const ACTION = 'microsoft.graph.attributeCollectionSubmit';
const BEARER = /^bearer +(\S+)$/i;
const CLOCK_TOLERANCE_SECONDS = 60;

export const entra: HookProviderContract = {
  hasMailed: true,
  async verify({ headers, at }, secret, withKeys) {
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    const settings = parseEntraSettings(secret);
    if (token === undefined || settings === undefined) return false;
    const { tenant, audience, keysUrl } = settings;
    const audiences = [audience, `api://${audience}`];
    const form = readTokenForm(token, ALGORITHMS);
    if (form === undefined || !mayBeOurs(form, { tenant, audiences, at })) return false;
    return withKeys(keysUrl, async (keys) => {
      const { jwtVerify } = await import('jose');
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        audience: audiences,
        currentDate: new Date(at),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iss'],
      });
      return isForTenant(payload, tenant);
    });
  },
  read(body) {
    if (textAt(body, 'type') !== EVENT) return NOTHING_TO_ASSESS;
    const user = memberAt(body, 'data', 'userSignUpInfo');
    const email = emailOf(user);
    if (email === undefined) return user === undefined ? undefined : NOTHING_TO_ASSESS;
    const context = memberAt(body, 'data', 'authenticationContext');
    const ip = textAt(context, 'client', 'ip');
    return { signup: { email, ip }, deliveryId: textAt(context, 'correlationId') };
  },
  reply({ answer }) {
    const action =
      answer === 'allow'
        ? { '@odata.type': `${ACTION}.continueWithDefaultBehavior` }
        : { '@odata.type': `${ACTION}.showBlockPage`, title: DENIAL_TITLE, message: DENIAL_MESSAGE };
    return { status: OK, body: { data: { '@odata.type': RESPONSE, actions: [action] } } };
  },
};

const ALGORITHMS = ['RS256'];

/** Microsoft's own application, and an issuer of this tenant. */
function isForTenant(claims: Readonly<Record<string, unknown>>, tenant: string): boolean {
  const caller = claims.azp ?? claims.appid;
  return caller === CALLER && isIssuer(typeof claims.iss === 'string' ? claims.iss : '', tenant);
}

/** Check that can refuse without the keys: nobody learns that they cannot be fetched by a token for somebody else. */
function mayBeOurs(
  { claims }: TokenForm,
  { tenant, audiences, at }: { tenant: string; audiences: readonly string[]; at: number },
): boolean {
  const { aud, exp } = claims;
  const isFresh = typeof exp === 'number' && exp + CLOCK_TOLERANCE_SECONDS > at / 1000;
  return (
    isFresh && [aud].flat().some((each) => audiences.includes(each as string)) && isForTenant(claims, tenant)
  );
}

/** External tenants, workforce tenants, and tokens of version 1. */
function isIssuer(issuer: string, tenant: string): boolean {
  const { protocol, hostname, pathname } = URL.canParse(issuer) ? new URL(issuer) : new URL('about:blank');
  const isMicrosoft = hostname.endsWith('.ciamlogin.com') || hostname === 'login.microsoftonline.com';
  const paths = isMicrosoft ? [`/${tenant}/v2.0`] : hostname === 'sts.windows.net' ? [`/${tenant}/`] : [];
  return protocol === 'https:' && paths.some((path) => path.toLowerCase() === pathname.toLowerCase());
}

/** Email that the user signs up with; with a social login the address is an attribute only. */
function emailOf(user: unknown): string | undefined {
  const identities = memberAt(user, 'identities');
  const isEmail = (identity: unknown) =>
    /^email/i.test(textAt(identity, 'signInType') ?? '') ? textAt(identity, 'issuerAssignedId') : undefined;
  const found = Array.isArray(identities)
    ? identities.map(isEmail).find((email) => email !== undefined)
    : undefined;
  return found ?? textAt(user, 'attributes', 'email', 'value');
}
