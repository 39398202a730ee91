/** FusionAuth: the transactional event `user.create`, with a signed hash of the body. */
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { isKeysUrl } from '../accounts/hook-secrets.ts';
import { broughtByAt, headerOf, memberAt, parseJson, textAt } from './hooks-members.ts';
import {
  DENIAL_MESSAGE,
  FORBIDDEN,
  type HookProviderContract,
  NOTHING_TO_ASSESS,
  OK,
} from './hooks-provider.ts';
import { refuseInvalid } from './hooks-public-keys.ts';
import { isFresh, isSameText } from './hooks-signature.ts';
import { readTokenForm } from './hooks-token-form.ts';

const EVENT = 'user.create';
const CLOCK_TOLERANCE_SECONDS = 300;
const SHARED_KEY = ['HS256', 'HS384', 'HS512'];
const PUBLIC_KEYS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

export const fusionauth: HookProviderContract = {
  async verify({ raw, headers, at }, secret, withKeys) {
    const token = headerOf(headers, 'x-fusionauth-signature-jwt');
    if (token === undefined) return false;
    const { jwtVerify } = await import('jose');
    const limits = { currentDate: new Date(at), clockTolerance: CLOCK_TOLERANCE_SECONDS };
    if (isKeysUrl(secret)) {
      const form = readTokenForm(token, PUBLIC_KEYS);
      if (form === undefined || !isHashOf(raw, form.claims) || !isNew(raw, at)) return false;
      return withKeys(secret, async (keys) => {
        const { payload } = await jwtVerify(token, keys, { ...limits, algorithms: PUBLIC_KEYS });
        return isHashOf(raw, payload) && isNew(raw, at);
      });
    }
    return jwtVerify(token, Buffer.from(secret), { ...limits, algorithms: SHARED_KEY }).then(
      ({ payload }) => isHashOf(raw, payload) && isNew(raw, at),
      refuseInvalid,
    );
  },
  read(body) {
    const event = memberAt(body, 'event');
    if (event === undefined) return undefined;
    if (textAt(event, 'type') !== EVENT) return NOTHING_TO_ASSESS;
    const email = textAt(event, 'user', 'email');
    // A user with a user name or a phone only.
    if (email === undefined) return NOTHING_TO_ASSESS;
    // `eventInfo.data` of an API request: a form of FusionAuth cannot set it, unlike `user.data`.
    const broughtBy = broughtByAt(event, 'info', 'data', 'brought_by');
    const ip = textAt(event, 'info', 'ipAddress');
    return { signup: { email, ip, broughtBy }, deliveryId: textAt(event, 'id') };
  },
  // FusionAuth undoes the creation for any other status than 2xx. It shows no text of ours.
  reply: ({ answer }) =>
    answer === 'allow' ? { status: OK, body: {} } : { status: FORBIDDEN, body: { message: DENIAL_MESSAGE } },
};

/** Whether the claim is the body's hash, in base64 with either alphabet, with or without padding. */
function isHashOf(raw: Buffer, { request_body_sha256: claim }: JWTPayload): boolean {
  if (typeof claim !== 'string') return false;
  const received = Buffer.from(claim, 'base64').toString('hex');
  return isSameText(hash('sha256', raw, 'hex'), received);
}

/** The token has no time of its own, but the body that it signs says when the event was made. */
function isNew(raw: Buffer, now: number): boolean {
  const createdAt = memberAt(parseJson(raw), 'event', 'createInstant');
  return typeof createdAt !== 'number' || isFresh(createdAt, now);
}
