/** The client of the server; React Router keeps files with `.server` in their name out of the browser. */
import { Gatehouse } from 'gatehouse-client';

export const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // One proxy in front of this application appends the visitor's address to X-Forwarded-For.
  trustedProxies: 1,
});
