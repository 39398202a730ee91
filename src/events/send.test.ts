import type { LookupAddress } from 'node:dns';
import { expect, it } from 'vitest';
import { createWebClient, type WebClientOptions } from '../outbound/web-client.ts';
import { sendByHttp } from './send.ts';

const lookup = ((_: string, __: object, callback: (error: null, found: LookupAddress[]) => void) =>
  callback(null, [{ address: '10.1.2.3', family: 4 }])) as NonNullable<WebClientOptions['lookup']>;

const send = (client: ReturnType<typeof createWebClient>) =>
  sendByHttp(
    { url: 'https://intranet.example.com/x', headers: {}, body: '{}' },
    { client, reach: 'public', limitMs: 20_000, clock: Date.now, signal: new AbortController().signal },
  ).finally(client.close);

it('an account learns no address of the inner network from a try that fails', async () => {
  const result = await send(createWebClient({ lookup }));
  expect(result).toMatchObject({ outcome: 'failed', problem: 'its host is not a public address' });
});

it('an account learns nothing about the proxy from a try that fails', async () => {
  const proxies = { httpsProxy: 'http://user:password@127.0.0.1:1', httpProxy: null, noProxy: [] };
  const result = await send(createWebClient({ lookup, isPublic: () => true, proxies }));
  expect(result).toMatchObject({
    outcome: 'failed',
    problem: 'the proxy of this installation did not connect to it',
  });
});
