/** The configuration of next-auth 5. */
import { protectSignIn } from 'gatehouse-client/auth-js';
import { headers } from 'next/headers';
import NextAuth from 'next-auth';
import { adapter, email, gatehouse, pages, prove } from '../gatehouse';

export const { auth, handlers, signIn } = NextAuth(() => {
  let proofPage: string | boolean;
  return {
    adapter,
    basePath: '/auth',
    session: { strategy: 'jwt' },
    providers: [email],
    pages,
    callbacks: {
      signIn: protectSignIn(gatehouse, {
        headers,
        adapter,
        // With a key for each form, no two visitors share a challenge.
        idempotencyKey: () => crypto.randomUUID(),
        onBlock: (_params, { assessment }) => `/blocked?reference=${assessment?.request_id ?? ''}`,
        onChallenge: async ({ user }, signup) => {
          proofPage = await prove('/v5', user.email ?? '', signup);
          return proofPage;
        },
      }),
      // NextAuth 5 redirects to other sites only if this callback allows it.
      redirect: ({ url, baseUrl }) => {
        const { href, origin } = new URL(url, baseUrl);
        return url === proofPage || origin === baseUrl ? href : baseUrl;
      },
    },
  };
});
