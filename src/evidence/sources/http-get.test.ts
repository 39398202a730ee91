import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRdapServer, type TestRdapServer } from '../../../test/support/rdap-server.ts';
import { createHttpGet } from './http-get.ts';

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
  const { get } = createHttpGet();
  expect(await get(`${server.baseUrl}domain/first`, ACCEPT)).toMatchObject({ status: 200 });
  await expect(get(`${server.baseUrl}domain/zeroth`, ACCEPT)).rejects.toThrow('more than 3 redirects');
  await expect(get(`${server.baseUrl}domain/elsewhere`, ACCEPT)).rejects.toThrow(
    'a redirect to ftp: is not followed',
  );
});

it('follows no redirect to an address that is not public, except back to the same server', async () => {
  const other = await startRdapServer();
  server.set('away', { redirectTo: `${other.baseUrl}domain/inside` });
  server.set('start', { redirectTo: `${server.baseUrl}domain/end` });
  server.set('end', { registered: '2020-01-01' });
  other.set('inside', { registered: '2020-01-01' });
  const { get } = createHttpGet();
  expect(await get(`${server.baseUrl}domain/start`, ACCEPT)).toMatchObject({ status: 200 });
  await expect(get(`${server.baseUrl}domain/away`, ACCEPT)).rejects.toThrow('is not a public address');
  expect(other.requests()).toBe(0);
  await other.close();
});

it('asks a server that another party named only if its address is public', async () => {
  server.set('inside', { registered: '2020-01-01' });
  const { get } = createHttpGet({ reachOf: async () => 'public' });
  await expect(get(`${server.baseUrl}domain/inside`, ACCEPT)).rejects.toThrow('is not a public address');
  expect(server.requests()).toBe(0);
});

it('limits time and size', async () => {
  server.set('slow', { hang: true });
  server.set('large', { body: 'x'.repeat(1_001) });
  server.set('small', { body: 'x'.repeat(1_000) });
  const impatient = createHttpGet({ limitMs: 50 });
  await expect(impatient.get(`${server.baseUrl}domain/slow`, ACCEPT)).rejects.toThrow();
  const { get } = createHttpGet({ limitBytes: 1_000 });
  await expect(get(`${server.baseUrl}domain/large`, ACCEPT)).rejects.toThrow('body too large');
  expect(await get(`${server.baseUrl}domain/small`, ACCEPT)).toMatchObject({ status: 200 });
});

it('fetches nothing once closed', async () => {
  server.set('slow', { hang: true });
  const http = createHttpGet();
  const open = http.get(`${server.baseUrl}domain/slow`, ACCEPT);
  http.close();
  await expect(open).rejects.toThrow();
  await expect(http.get(`${server.baseUrl}domain/slow`, ACCEPT)).rejects.toThrow();
});
