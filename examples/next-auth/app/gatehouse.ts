/** The client, and what both versions share. */
import { UnstorageAdapter } from '@auth/unstorage-adapter';
import { createGatehouse } from 'gatehouse-client/next';
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

export const pages = { signIn: '/error', verifyRequest: '/confirm', error: '/error' };
