/** better-auth with Gatehouse in front of every signup: email and password, social providers, magic links. */
import { randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { Gatehouse } from 'gatehouse-client';
import { gatehouse } from 'gatehouse-client/better-auth';
import { SqliteDialect } from 'kysely';
import Database from 'libsql';
import { isSolved } from './proof.js';

const client = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // app.js writes it.
  trustedProxies: { header: 'x-client-ip' },
});
const database = new Database(process.env.AUTH_DATABASE ?? 'auth.db');

export const auth = betterAuth({
  database: { dialect: new SqliteDialect({ database }), type: 'sqlite' },
  secret: process.env.BETTER_AUTH_SECRET ?? randomBytes(32).toString('base64'),
  emailAndPassword: { enabled: true },
  advanced: { ipAddress: { ipAddressHeaders: ['x-client-ip'] } },
  plugins: [
    gatehouse(client, {
      // The page sends it with the form and with its repetition. No other visitor knows it, so nobody shares the challenge.
      idempotencyKey: ({ context }) => context?.headers?.get('x-attempt') ?? crypto.randomUUID(),
      onBlock: (_user, { assessment }) => ({
        code: 'SIGNUP_BLOCKED',
        message: `Write to our support if this is a mistake: ${assessment?.request_id}`,
      }),
      // The page does the work of the challenge and repeats its request with the solution.
      onChallenge: async ({ context }, { decision, assessment }) => {
        // An allowed address that should get no mail: this application sends none.
        if (decision === 'allow') return true;
        const token = assessment?.request_id ?? '';
        if (await isSolved(client, token, context?.headers?.get('x-gatehouse-solution'))) return true;
        const { proof } = await client.redeemChallenge({ token, proof: {} });
        return { answer: { challenge: proof?.challenge } };
      },
    }),
  ],
});
