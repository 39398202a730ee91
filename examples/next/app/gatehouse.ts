/** The client that all routes and actions share. */
import { createGatehouse } from 'gatehouse-client/next';

export const gatehouse = createGatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // One proxy in front of `next start` appends the visitor's address to X-Forwarded-For. On Vercel: 'vercel'.
  trustedProxies: 1,
});

/** Page where a visitor continues after the proof of work. Write the address of your site here. */
export function returnUrl(headers: Headers): string {
  return `${headers.get('x-forwarded-proto') ?? 'http'}://${headers.get('host')}/proved`;
}
