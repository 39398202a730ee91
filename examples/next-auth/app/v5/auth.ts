/** The configuration of next-auth 5. */
import { protectSignIn } from 'gatehouse-client/auth-js';
import { headers } from 'next/headers';
import NextAuth from 'next-auth';
import { adapter, email, gatehouse, pages } from '../gatehouse';

export const { auth, handlers, signIn } = NextAuth({
  adapter,
  basePath: '/auth',
  session: { strategy: 'jwt' },
  providers: [email],
  pages,
  callbacks: {
    signIn: protectSignIn(gatehouse, {
      headers,
      adapter,
      onBlock: (_params, { assessment }) => `/blocked?reference=${assessment?.request_id ?? ''}`,
    }),
  },
});
