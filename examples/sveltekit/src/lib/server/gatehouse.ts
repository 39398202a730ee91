/** The client, made at the first signup: `vite build` loads this file where the key is not set. */
import { Gatehouse } from 'gatehouse-client';

let client: Gatehouse | undefined;

export function gatehouse(): Gatehouse {
  client ??= new Gatehouse({
    url: process.env.GATEHOUSE_URL,
    key: process.env.GATEHOUSE_KEY,
    // Proxies that may be in front of this application: those on the same machine.
    trustedProxies: ['loopback'],
  });
  return client;
}
