/** Builds the documents as a site from a clean lockfile; opens every page on a phone screen, without requests to other hosts. */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sitePages } from '../../scripts/site-pages.mjs';
import { startBrowser, type TestBrowser, type Window } from '../../test/support/real-browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'site/dist');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
/** Results that somebody reads before typing other words. */
const MAX_RESULTS = 3;
/** Searches of people who do not know our words, each with the page that answers it. */
const QUESTIONS = {
  GDPR: '/docs/data',
  SSO: '/docs/sso',
  SAML: '/docs/sso',
  Python: '/clients/python',
  systemd: '/docs/install',
  nginx: '/docs/install',
  docker: '/docs/install',
  'corporate proxy': '/docs/install',
  backup: '/docs/backup',
  webhook: '/docs/webhooks',
  alerts: '/docs/alerts',
  quota: '/docs/api',
  rollback: '/docs/feeds',
  'why was my customer blocked': '/docs/dashboard',
};
const pages = sitePages().flatMap((group) =>
  group.pages.map((page) => `/${page.replace(/(README)?\.md$/, '')}`),
);

describe('the documentation site', () => {
  let server: Server;
  let browser: TestBrowser;
  let phone: Window;
  beforeAll(async () => {
    for (const folder of ['dist', 'node_modules', '.cache'])
      rmSync(join(ROOT, 'site', folder), { recursive: true, force: true });
    execFileSync(process.execPath, ['scripts/build-site.mjs'], { cwd: ROOT, stdio: 'pipe' });
    server = createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://site');
      const named = join(BUILT, decodeURI(pathname));
      const file = [named, `${named}.html`, join(named, 'index.html')].find(
        (path) => existsSync(path) && statSync(path).isFile(),
      );
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      createReadStream(file).pipe(response);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    browser = await startBrowser();
    phone = await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { width: 390 });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it.each([...pages, '/reference/'])('has %s, which fits a phone', async (path) => {
    await phone.go(path);
    const title = await phone.page.locator('h1').first().textContent();
    const isWider = await phone.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > window.innerWidth + 1',
    );
    expect(title).toBeTruthy();
    expect(title).not.toBe('404');
    expect(isWider).toBe(false);
    expect(phone.faults).toEqual([]);
  });

  it.each(Object.entries(QUESTIONS))(
    'finds for “%s” the page %s among the first results',
    async (words, page) => {
      await phone.go('/');
      await phone.page.getByRole('button', { name: 'Search' }).first().click();
      await phone.page.getByRole('searchbox').fill(words);
      const first = () =>
        phone.page.evaluate<string[]>(
          `[...document.querySelectorAll('.VPLocalSearchBox a.result')].slice(0, ${MAX_RESULTS}).map((link) => link.getAttribute('href'))`,
        );
      await expect.poll(async () => (await first()).some((href) => href.startsWith(page))).toBe(true);
    },
  );

  it('is readable in dark mode', async () => {
    const window = await browser.open(phone.page.url().replace(/(:\d+).*/, '$1'), { dark: true });
    await window.go('/docs/scoring');
    expect(await window.barriers('colours')).toEqual([]);
    await window.close();
  });
});
