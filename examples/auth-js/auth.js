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
 * @returns {import('@auth/express').ExpressAuthConfig}
 */
export const authConfig = (request) => ({
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
      onBlock: (_params, { assessment }) => `/blocked?reference=${assessment?.request_id ?? ''}`,
      // A challenged signup gets the link too, unless it may be a stranger's address: opening it confirms the address.
      onChallenge: true,
    }),
  },
});
