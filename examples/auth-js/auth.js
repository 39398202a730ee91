/** Auth.js with links by email; Gatehouse decides about those who are new before the email is sent. */
import { randomBytes } from 'node:crypto';
import { UnstorageAdapter } from '@auth/unstorage-adapter';
import { Gatehouse } from 'gatehouse-client';
import { protectSignIn } from 'gatehouse-client/auth-js';
import { createStorage } from 'unstorage';

const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Proxies that may be in front of this application: those on the same machine.
  trustedProxies: ['loopback'],
});
/** In memory: use the adapter of your database. */
const adapter = UnstorageAdapter(createStorage());
const secret = process.env.AUTH_SECRET ?? randomBytes(32).toString('base64');

/**
 * The configuration for one request, because `signIn` does not get the request.
 * @param {import('express').Request} request
 * @param {import('express').Response} response
 * @returns {import('@auth/express').ExpressAuthConfig}
 */
export const authConfig = (request, response) => {
  /** @type {string | undefined} */
  let proofPage;
  return {
    adapter,
    secret,
    trustHost: true,
    providers: [
      {
        id: 'email',
        type: 'email',
        name: 'Email',
        from: 'signup@example.com',
        maxAge: 3600,
        sendVerificationRequest: async ({ identifier, url }) => {
          // Send an email here.
          console.log(`to ${identifier}: your link is ${url}`);
        },
        options: {},
      },
    ],
    pages: { signIn: '/', verifyRequest: '/confirm', error: '/error' },
    callbacks: {
      signIn: protectSignIn(gatehouse, {
        headers: () => request,
        adapter,
        // With a key for each form, no two visitors share a challenge.
        idempotencyKey: () => crypto.randomUUID(),
        onBlock: (_params, { assessment }) => `/blocked?reference=${assessment?.request_id ?? ''}`,
        // The visitor's browser does some work before the link is sent, comes back to the form, and sends it again.
        onChallenge: async ({ user }, { decision, assessment }) => {
          const proof = await gatehouse.endProof(request);
          if (proof && proof.state === user.email) return true;
          // An allowed address that should get no mail has no challenge.
          if (decision !== 'challenge') return false;
          const { page, setCookie } = await gatehouse.beginProof({
            requestId: assessment?.request_id,
            returnUrl: `${request.protocol}://${request.get('host')}/?proved`,
            state: user.email ?? '',
          });
          response.append('set-cookie', setCookie);
          proofPage = page;
          return page;
        },
      }),
      // Auth.js redirects to other sites only if this callback allows it.
      redirect: ({ url, baseUrl }) => {
        const { href, origin } = new URL(url, baseUrl);
        return url === proofPage || origin === baseUrl ? href : baseUrl;
      },
    },
  };
};
