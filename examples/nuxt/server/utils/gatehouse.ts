/** The client; Nuxt imports what is in `server/utils` by itself. */
import { Gatehouse } from 'gatehouse-client';

export const gatehouse = new Gatehouse({
  url: process.env.GATEHOUSE_URL,
  key: process.env.GATEHOUSE_KEY,
  // Proxies that may be in front of this application: those on the same machine.
  trustedProxies: ['loopback'],
});
