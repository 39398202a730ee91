/** Follows a sign-in at the OpenID provider as a browser does, one redirect after the other. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, openBrowser } from './browser.ts';

/** A port that is free now, for a service whose URL must be known before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** The address at the provider that a sign-in begins with. @throws where it is refused */
export async function begin(browser: Browser, intent: object = {}): Promise<URL> {
  const { status, json, text } = await browser.send<{ url: string }>('POST', '/dashboard/api/oidc', intent);
  if (status !== 200) throw new Error(`the sign-in was answered ${status}: ${text}`);
  return new URL(json.url);
}

/** Goes through the provider; returns the URL that it sends the person back to. */
export async function visitProvider(start: URL): Promise<URL> {
  const { origin } = start;
  const provider = openBrowser(origin);
  try {
    let url = start;
    for (let step = 0; step < 10 && url.origin === origin; step += 1) {
      const { status, headers, text } = await provider.send('GET', url.pathname + url.search);
      if (headers.location === undefined) throw new Error(`the provider answered ${status}: ${text}`);
      url = new URL(headers.location, url);
    }
    return url;
  } finally {
    provider.close();
  }
}

/** Comes back to the dashboard; returns the path that it opens. */
export async function comeBack(browser: Browser, url: URL): Promise<string> {
  const { status, headers, text } = await browser.send('GET', url.pathname + url.search);
  if (status !== 303) throw new Error(`coming back was answered ${status}: ${text}`);
  return headers.location as string;
}

/** A whole sign-in. */
export async function signInAtProvider(browser: Browser, intent: object = {}): Promise<string> {
  return comeBack(browser, await visitProvider(await begin(browser, intent)));
}
