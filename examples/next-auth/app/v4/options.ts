/** The options of next-auth 4, whose package this example names `next-auth-4`. */
import { protectSignIn } from 'gatehouse-client/auth-js';
import { cookies, headers } from 'next/headers';
import type { AuthOptions } from 'next-auth-4';
import { adapter, email, gatehouse, pages, prove } from '../gatehouse';

export const authOptions: AuthOptions = {
  adapter: adapter as AuthOptions['adapter'],
  secret: process.env.AUTH_SECRET,
  session: { strategy: 'jwt' },
  // @ts-expect-error: without nodemailer, which this example does not send by, it has no type for an email provider
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
        const page = await prove('/v4', user.email ?? '', signup);
        if (typeof page !== 'string') return page;
        // The page of next-auth 4 cannot open an address with a fragment, as this one has. /v4/prove opens it.
        (await cookies()).set('proof_page', page, { httpOnly: true, sameSite: 'lax' });
        return '/v4/prove';
      },
    }),
  },
};
