/** Sign-in at an OpenID provider on two nodes: one begins it, the other one finishes it, and a loss counts on both. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { begin, comeBack, signInAtProvider, visitProvider } from '../support/oidc-visit.ts';
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import type { Planted } from '../support/plant.ts';

const PUBLIC_URL = 'http://gatehouse.example';

let provider: OpenIdProvider;
let cluster: Cluster;
let account: Planted;
beforeAll(async () => {
  provider = await startOpenIdProvider([`${PUBLIC_URL}/dashboard/oidc/callback`]);
  cluster = await startCluster({
    nodes: 2,
    environmentOf: () => ({
      GATEHOUSE_PUBLIC_URL: PUBLIC_URL,
      GATEHOUSE_OIDC_ISSUER: provider.issuer,
      GATEHOUSE_OIDC_CLIENT_ID: CLIENT.id,
      GATEHOUSE_OIDC_CLIENT_SECRET: CLIENT.secret,
      GATEHOUSE_OIDC_ROLES: 'fraud=analyst; support=member',
    }),
  });
  account = await cluster.account();
}, 240_000);
afterAll(async () => {
  await cluster?.end();
  await provider?.close();
});

it('is finished by another node, and ends sessions on every node', async () => {
  const [first, second] = cluster.nodes.map(({ url }) => openBrowser(url)) as [Browser, Browser];
  provider.person = {
    sub: 'jo',
    email: 'jo@example.com',
    email_verified: true,
    name: 'Jo',
    groups: ['fraud'],
  };
  const start = await begin(first);
  for (const pair of first.cookies) second.cookies.set(...pair);
  const url = await visitProvider(start);
  expect(await comeBack(second, url)).toBe('/');
  const { json } = await second.session();
  expect(json.accounts).toContainEqual(expect.objectContaining({ id: account.id, role: 'analyst' }));
  provider.person = { ...provider.person, groups: ['support'] };
  expect(await signInAtProvider(first)).toBe('/');
  expect((await second.session()).status).toBe(401);
  expect((await first.session()).json.accounts).toContainEqual(
    expect.objectContaining({ id: account.id, role: 'member' }),
  );
  first.close();
  second.close();
});

it('makes one user of two first sign-ins at once', async () => {
  provider.person = {
    sub: 'twice',
    email: 'twice@example.com',
    email_verified: true,
    name: 'Tw',
    groups: ['support'],
  };
  const browsers = cluster.nodes.map(({ url }) => openBrowser(url));
  const urls = await Promise.all(browsers.map(async (browser) => visitProvider(await begin(browser))));
  const paths = await Promise.all(browsers.map((browser, at) => comeBack(browser, urls[at] as URL)));
  expect(paths).toEqual(['/', '/']);
  const users = await cluster.sql('SELECT id FROM auth_users WHERE email = $1', ['twice@example.com']);
  expect(users).toHaveLength(1);
  for (const browser of browsers) browser.close();
});

type Browser = ReturnType<typeof openBrowser>;
