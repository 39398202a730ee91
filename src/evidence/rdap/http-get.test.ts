import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRdapServer, type TestRdapServer } from '../../../test/support/rdap-server.ts';
import { createHttpGet } from './http-get.ts';
import { isHttp, isPublicUrl } from './reachable.ts';

const ACCEPT = 'application/rdap+json';
let server: TestRdapServer;

beforeEach(async () => {
  server = await startRdapServer();
});

afterEach(() => server.close());

it('follows three redirects, over HTTP only', async () => {
  server.set('first', { redirectTo: 'second' });
  server.set('second', { redirectTo: `${server.baseUrl}domain/third` });
  server.set('third', { redirectTo: 'fourth' });
  server.set('fourth', { registered: '2020-01-01' });
  server.set('zeroth', { redirectTo: 'first' });
  server.set('elsewhere', { redirectTo: 'ftp://example.org/x' });
  const { get } = createHttpGet({ mayFollow: isHttp });
  expect(await get(`${server.baseUrl}domain/first`, ACCEPT)).toMatchObject({ status: 200 });
  await expect(get(`${server.baseUrl}domain/zeroth`, ACCEPT)).rejects.toThrow('too many redirects');
  await expect(get(`${server.baseUrl}domain/elsewhere`, ACCEPT)).rejects.toThrow('forbidden redirect');
});

it('follows no redirect to an address that is not public', async () => {
  server.set('start', { redirectTo: `${server.baseUrl}domain/inside` });
  server.set('inside', { registered: '2020-01-01' });
  const { get } = createHttpGet({ mayFollow: isPublicUrl });
  await expect(get(`${server.baseUrl}domain/start`, ACCEPT)).rejects.toThrow('forbidden redirect');
  expect(server.requests('inside')).toBe(0);
});

it('takes only so much time and so many bytes', async () => {
  server.set('slow', { hang: true });
  server.set('large', { body: 'x'.repeat(1_001) });
  server.set('small', { body: 'x'.repeat(1_000) });
  const { get } = createHttpGet({ mayFollow: () => true, limitMs: 50, limitBytes: 1_000 });
  await expect(get(`${server.baseUrl}domain/slow`, ACCEPT)).rejects.toThrow();
  await expect(get(`${server.baseUrl}domain/large`, ACCEPT)).rejects.toThrow('body too large');
  expect(await get(`${server.baseUrl}domain/small`, ACCEPT)).toMatchObject({ status: 200 });
});

it('fetches nothing once closed', async () => {
  server.set('slow', { hang: true });
  const http = createHttpGet({ mayFollow: () => true });
  const open = http.get(`${server.baseUrl}domain/slow`, ACCEPT);
  http.close();
  await expect(open).rejects.toThrow();
  await expect(http.get(`${server.baseUrl}domain/slow`, ACCEPT)).rejects.toThrow();
});
