/** Sends hooks as each auth provider documents them: payload, proof of origin, secret, and the expected answer. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { HookProvider } from '../../src/model/hook.ts';
import { importTool } from './tool-package.ts';

export interface SignupOf {
  readonly email: string;
  readonly ip: string;
}

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HookSender {
  /** The secret in the form for `--secret`. */
  readonly secret: string;
  /** A payload for this signup; each call is a new delivery. */
  payload(signup: SignupOf): Record<string, unknown>;
  /** `id`: of the delivery, if the provider sends it in a header. `at`: milliseconds since the epoch. */
  sign(body: string, id?: string, at?: number): Promise<Delivery> | Delivery;
  /** Whether the time is signed, so that old requests are refused. */
  readonly isTimed: boolean;
  /** The documented answer to the provider. */
  readonly allow: { readonly status: number; readonly body: unknown };
  readonly deny: { readonly status: number; readonly body: unknown };
  /** A payload for another event, or for a signup without an address. */
  readonly other: Record<string, unknown>;
}

const TEXT = expect.stringMatching(/support/);
export const TENANT = '11112222-bbbb-3333-cccc-4444dddd5555';
export const AUDIENCE = '00001111-aaaa-2222-bbbb-3333cccc4444';
const MICROSOFT = '99045fe1-7639-4a75-9d4a-577b6ca3810f';

/** A server for the public keys that Entra, Neon and FusionAuth publish; at `/none` there are none. */
export interface KeyServer {
  readonly url: string;
  requests(): number;
  close(): Promise<void>;
}

/** @param keys the JSON Web Key Set */
export async function startKeyServer(keys: () => unknown): Promise<KeyServer> {
  let requests = 0;
  const server = createServer(({ url }, response) => {
    requests += 1;
    const answer = url === '/none' ? { keys: [] } : keys();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/.well-known/jwks.json`,
    requests: () => requests,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

export async function makeSenders(): Promise<{
  readonly senders: Record<HookProvider, HookSender>;
  readonly keyServer: KeyServer;
  /** A Microsoft token for this hook; `claims` replaces claims. */
  signForEntra(claims: Readonly<Record<string, string>>): Promise<string>;
  /** As FusionAuth signs with a key pair. */
  signForFusionAuth(body: string): Promise<string>;
}> {
  const rsa = await generateKeyPair('RS256', { extractable: true });
  const ed = await generateKeyPair('Ed25519', { extractable: true });
  const keyServer = await startKeyServer(() => published);
  const published = {
    keys: [
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
      { ...(await exportJWK(ed.publicKey)), kid: 'ed', alg: 'EdDSA', use: 'sig' },
    ],
  };
  return {
    keyServer,
    signForEntra: (claims) => entraToken(rsa.privateKey, claims, Date.now()),
    signForFusionAuth: (body) => fusionAuthToken(body, { alg: 'RS256', kid: 'rsa', key: rsa.privateKey }),
    senders: {
      supabase: supabase(),
      kratos: kratos(),
      workos: workos(),
      okta: okta(),
      entra: entra(rsa.privateKey, keyServer.url),
      neon: neon(ed.privateKey, keyServer.url),
      zitadel: zitadel(),
      fusionauth: fusionauth(),
    },
  };
}

function supabase(): HookSender {
  const secret = `v1,whsec_${randomBytes(32).toString('base64')}`;
  const payload = (user: Record<string, unknown>, ip: string) => ({
    metadata: {
      uuid: randomUUID(),
      time: '2026-08-07T17:54:04.100Z',
      name: 'before-user-created',
      ip_address: ip,
    },
    user: {
      id: randomUUID(),
      aud: 'authenticated',
      role: '',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      identities: [],
      created_at: '0001-01-01T00:00:00Z',
      is_anonymous: false,
      ...user,
    },
  });
  return {
    secret,
    payload: ({ email, ip }) => payload({ email }, ip),
    sign(body, id = randomUUID(), at = Date.now()) {
      const webhook = new Webhook(secret.slice('v1,'.length));
      const date = new Date(at);
      const others = `v1,${randomBytes(32).toString('base64')}`;
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1000)),
        // Several signatures in Supabase's format.
        'webhook-signature': `${others}, ${webhook.sign(id, date, body)}`,
      };
      return { headers, body };
    },
    isTimed: true,
    allow: { status: 200, body: {} },
    deny: { status: 200, body: { error: { http_code: 403, message: TEXT } } },
    other: payload({ email: '', phone: '15551234567' }, '79.192.10.9'),
  };
}

function kratos(): HookSender {
  const secret = randomBytes(24).toString('base64url');
  return {
    secret,
    payload: ({ email, ip }) => ({ email, ip }),
    sign: (body, id = randomUUID()) => ({
      headers: { authorization: secret, 'ory-webhook-trigger-id': id },
      body,
    }),
    isTimed: false,
    allow: { status: 200, body: {} },
    deny: {
      status: 403,
      body: {
        messages: [
          {
            instance_ptr: '#/traits/email',
            messages: [{ id: 4000001, text: TEXT, type: 'error', context: expect.any(Object) }],
          },
        ],
      },
    },
    other: { email: null, ip: null },
  };
}

function okta(): HookSender {
  const secret = randomBytes(24).toString('base64url');
  return {
    secret,
    payload: ({ email, ip }) => ({
      eventId: randomUUID(),
      eventTime: '2026-08-07T17:54:04.000Z',
      eventType: 'com.okta.user.pre-registration',
      eventTypeVersion: '1.0',
      contentType: 'application/json',
      cloudEventVersion: '0.1',
      source: 'regrOkta',
      requestType: 'self.service.registration',
      data: {
        context: { request: { id: 'reqv66CbCaCStGEFc8AdfS0ng', method: 'POST', ipAddress: ip } },
        userProfile: { firstName: 'Rosario', lastName: 'Jones', login: email, email },
        action: 'ALLOW',
      },
    }),
    sign: (body) => ({ headers: { authorization: secret }, body }),
    isTimed: false,
    allow: { status: 200, body: {} },
    deny: {
      status: 200,
      body: {
        commands: [{ type: 'com.okta.action.update', value: { registration: 'DENY' } }],
        error: {
          errorSummary: TEXT,
          errorCauses: [
            {
              errorSummary: TEXT,
              reason: expect.any(String),
              locationType: 'body',
              location: 'data.userProfile.email',
              domain: 'end-user',
            },
          ],
        },
      },
    },
    other: { eventType: 'com.okta.user.pre-registration', requestType: 'progressive.profile', data: {} },
  };
}

function workos(): HookSender {
  const secret = randomBytes(24).toString('base64url');
  const signed = (payload: unknown) => ({
    object: 'user_registration_action_response',
    payload,
    signature: expect.stringMatching(/^[\da-f]{64}$/),
  });
  return {
    secret,
    payload: ({ email, ip }) => ({
      id: randomUUID(),
      object: 'user_registration_action_context',
      user_data: { object: 'user_data', email, first_name: 'Jane', last_name: 'Doe' },
      ip_address: ip,
      user_agent: 'Mozilla/5.0',
      device_fingerprint: randomUUID(),
    }),
    sign(body, _id, at = Date.now()) {
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      return { headers: { 'workos-signature': `t=${at}, v1=${signature}` }, body };
    },
    isTimed: true,
    allow: { status: 200, body: signed({ timestamp: expect.any(Number), verdict: 'Allow' }) },
    deny: {
      status: 200,
      body: signed({ timestamp: expect.any(Number), verdict: 'Deny', error_message: TEXT }),
    },
    other: { id: randomUUID(), object: 'organization_action_context' },
  };
}

/** Used part of `@workos-inc/node`. */
interface WorkosLibrary {
  readonly WorkOS: new (
    apiKey: string,
  ) => {
    readonly actions: {
      constructAction(signed: { payload: unknown; sigHeader: string; secret: string }): Promise<unknown>;
    };
  };
}

/** Whether the provider's own library accepts the signature of a request or of an answer. */
export async function isSignedForWorkos(payload: unknown, header: string, secret: string): Promise<boolean> {
  const { WorkOS } = await importTool<WorkosLibrary>('@workos-inc/node');
  const { actions } = new WorkOS('sk_for_tests');
  return actions.constructAction({ payload, sigHeader: header, secret }).then(
    () => true,
    () => false,
  );
}

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

function entra(key: PrivateKey, url: string): HookSender {
  const actions = (action: object) => ({
    data: {
      '@odata.type': 'microsoft.graph.onAttributeCollectionSubmitResponseData',
      actions: [action],
    },
  });
  return {
    secret: `tenant=${TENANT} audience=${AUDIENCE} jwks=${url}`,
    payload: ({ email, ip }) => ({
      type: 'microsoft.graph.authenticationEvent.attributeCollectionSubmit',
      source: `/tenants/${TENANT}/applications/${AUDIENCE}`,
      data: {
        '@odata.type': 'microsoft.graph.onAttributeCollectionSubmitCalloutData',
        tenantId: TENANT,
        authenticationContext: {
          correlationId: randomUUID(),
          client: { ip, locale: 'en-us', market: 'en-us' },
          protocol: 'OAUTH2.0',
        },
        userSignUpInfo: {
          attributes: { email: { value: email, attributeType: 'builtIn' } },
          identities: [{ signInType: 'email', issuer: 'contoso.onmicrosoft.com', issuerAssignedId: email }],
        },
      },
    }),
    sign: async (body, _id, at = Date.now()) => ({
      headers: { authorization: `Bearer ${await entraToken(key, {}, at)}` },
      body,
    }),
    isTimed: true,
    allow: {
      status: 200,
      body: actions({
        '@odata.type': 'microsoft.graph.attributeCollectionSubmit.continueWithDefaultBehavior',
      }),
    },
    deny: {
      status: 200,
      body: actions({
        '@odata.type': 'microsoft.graph.attributeCollectionSubmit.showBlockPage',
        title: expect.any(String),
        message: TEXT,
      }),
    },
    other: { type: 'microsoft.graph.authenticationEvent.attributeCollectionStart', data: {} },
  };
}

function entraToken(key: PrivateKey, claims: Record<string, string>, at: number): Promise<string> {
  const seconds = Math.floor(at / 1000);
  return new SignJWT({ azp: MICROSOFT, ver: '2.0', tid: TENANT, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'rsa', typ: 'JWT' })
    .setIssuer(claims.iss ?? `https://contoso.ciamlogin.com/${TENANT}/v2.0`)
    .setAudience(claims.aud ?? AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 200)
    .sign(key);
}

function neon(key: PrivateKey, url: string): HookSender {
  const payload = (user: Record<string, unknown>, ip: string) => ({
    event_id: randomUUID(),
    event_type: 'user.before_create',
    timestamp: '2026-02-23T12:00:00.000Z',
    context: { endpoint_id: 'ep-cool-sound-12345678', project_name: 'My SaaS App' },
    user,
    event_data: { auth_provider: 'credential', ip_address: ip, user_agent: 'Mozilla/5.0' },
  });
  return {
    secret: url,
    payload: ({ email, ip }) => payload({ email, name: 'Jane Smith', email_verified: false }, ip),
    async sign(body, id = randomUUID(), at = Date.now()) {
      const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'JWS', kid: 'ed' })).toString(
        'base64url',
      );
      const bound = Buffer.from(`${at}.${Buffer.from(body).toString('base64url')}`).toString('base64url');
      const bytes = await crypto.subtle.sign('Ed25519', key as never, Buffer.from(`${header}.${bound}`));
      const headers = {
        'x-neon-signature': `${header}..${Buffer.from(bytes).toString('base64url')}`,
        'x-neon-signature-kid': 'ed',
        'x-neon-timestamp': String(at),
        'x-neon-event-id': id,
        'x-neon-delivery-attempt': '1',
      };
      return { headers, body };
    },
    isTimed: true,
    allow: { status: 200, body: { allowed: true } },
    deny: { status: 200, body: { allowed: false, error_message: TEXT, error_code: expect.any(String) } },
    other: payload({ phone_number: '+15551234567' }, '79.192.10.9'),
  };
}

function zitadel(): HookSender {
  const secret = randomBytes(24).toString('base64url');
  const payload = (fullMethod: string, request: object) => ({
    fullMethod,
    instanceID: '262851882718855632',
    orgID: '262851882718921168',
    projectID: '262851882719052240',
    userID: '262851882718986704',
    request,
  });
  const headersOf = (ip: string) => ({
    Accept: ['*/*'],
    // After an entry that the person made up, and before the proxy next to Zitadel.
    'X-Forwarded-For': [`192.0.2.66, ${ip}`, '10.0.0.7'],
  });
  return {
    secret,
    payload: ({ email, ip }) => ({
      ...payload('/zitadel.user.v2.UserService/AddHumanUser', {
        profile: { givenName: 'Test', familyName: randomUUID() },
        email: { email, isVerified: false },
      }),
      ...(ip !== undefined && { headers: headersOf(ip) }),
    }),
    sign(body, _id, at = Date.now()) {
      const seconds = Math.floor(at / 1000);
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      // After another signing key of the target.
      const others = 'ab'.repeat(32);
      return { headers: { 'zitadel-signature': `t=${seconds},v1=${others},v1=${signature}` }, body };
    },
    isTimed: true,
    allow: { status: 200, body: {} },
    deny: { status: 200, body: { forwardedStatusCode: 403, forwardedErrorMessage: TEXT } },
    other: payload('/zitadel.user.v2.UserService/AddMachineUser', { name: 'robot' }),
  };
}

function fusionauth(): HookSender {
  const secret = randomBytes(32).toString('base64url');
  return {
    secret,
    payload: ({ email, ip }) => ({
      event: {
        createInstant: Date.now(),
        id: randomUUID(),
        info: { deviceType: 'BROWSER', ipAddress: ip, userAgent: 'Mozilla/5.0' },
        tenantId: randomUUID(),
        type: 'user.create',
        user: { active: true, email, id: randomUUID(), verified: false },
      },
    }),
    async sign(body) {
      const token = await fusionAuthToken(body, { alg: 'HS256', key: Buffer.from(secret) });
      return { headers: { 'x-fusionauth-signature-jwt': token }, body };
    },
    isTimed: false,
    allow: { status: 200, body: {} },
    deny: { status: 403, body: { message: TEXT } },
    other: { event: { type: 'user.delete', user: {} } },
  };
}

function fusionAuthToken(
  body: string,
  { key, ...header }: { alg: string; kid?: string; key: PrivateKey | Buffer },
): Promise<string> {
  const hash = createHash('sha256').update(body).digest('base64');
  return new SignJWT({ request_body_sha256: hash }).setProtectedHeader(header).sign(key);
}
