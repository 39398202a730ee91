/** The client, and the parts that both versions share. */
import { UnstorageAdapter } from '@auth/unstorage-adapter';
import type { SignupDecision } from 'gatehouse-client';
import { createGatehouse } from 'gatehouse-client/next';
import { cookies, headers } from 'next/headers';
import { createStorage, type Storage } from 'unstorage';

export const gatehouse = createGatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // One proxy in front of `next start` appends the visitor's address to X-Forwarded-For. On Vercel: 'vercel'.
  trustedProxies: 1,
});

/** In memory, once for all bundles of Next.js: use the adapter of your database. */
const memory = globalThis as { storage?: Storage };
memory.storage ??= createStorage();
export const adapter = UnstorageAdapter(memory.storage);

/** A provider of links by email. */
export const email = {
  id: 'email',
  type: 'email' as const,
  name: 'Email',
  from: 'signup@example.com',
  maxAge: 3600,
  server: '',
  options: {},
  sendVerificationRequest: async ({ identifier, url }: { identifier: string; url: string }) => {
    // Send an email here.
    console.log(`to ${identifier}: your link is ${url}`);
  },
};

/**
 * Asks a challenged visitor for a proof of work before the link is sent. The visitor comes back to the form, which is sent again.
 * @param form path of the form
 * @returns `true` after the proof; otherwise the page for it, or `false`
 */
export async function prove(
  form: string,
  address: string,
  signup: SignupDecision,
): Promise<string | boolean> {
  const sent = await headers();
  const proof = await gatehouse.client().endProof(sent);
  if (proof?.state === address) return true;
  // An allowed address that should get no mail has no challenge.
  if (signup.decision !== 'challenge') return false;
  const { page, cookie } = await gatehouse.client().beginProof({
    requestId: signup.assessment?.request_id,
    returnUrl: `${sent.get('x-forwarded-proto') ?? 'http'}://${sent.get('host')}${form}?proved`,
    state: address,
  });
  (await cookies()).set(cookie);
  return page;
}

export const pages = { signIn: '/error', verifyRequest: '/confirm', error: '/error' };
