/** Every answer of every route has the headers that keep browsers from misusing it; the routes are those that the service registers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../support/raw-exchange.ts';
import { registeredRoutes } from '../support/registered-routes.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({
    environment: {
      GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example',
      // The provider need not answer: its routes do.
      GATEHOUSE_OIDC_ISSUER: 'http://127.0.0.1:9',
      GATEHOUSE_OIDC_CLIENT_ID: 'gatehouse',
      GATEHOUSE_OIDC_CLIENT_SECRET: 'secret-of-the-client',
    },
  });
});
afterAll(() => scene?.end());

/** Parameters have a value that does not exist. */
const ROUTES = (await registeredRoutes()).map(({ method, path }) => ({
  method,
  path: path.replace(/:\w+\??/g, 'none'),
}));
const send = (method: string, path: string, key: string | null = null) =>
  scene.live.send({
    method,
    path,
    key,
    headers: { accept: 'text/html' },
    ...(method === 'GET' ? {} : { body: {} }),
  });

describe('the routes', () => {
  it('cover every part of the service', () => {
    expect(ROUTES.length).toBeGreaterThan(80);
    const parts = [
      '/v1/',
      '/hooks/',
      '/healthz',
      '/metrics',
      '/docs',
      '/challenge/',
      '/dashboard/api/',
      '/assets/',
    ];
    for (const part of parts)
      expect(
        ROUTES.some(({ path }) => path.startsWith(part)),
        part,
      ).toBe(true);
  });

  it('all answer with a policy for browsers, and forbid content sniffing', async () => {
    for (const { method, path } of ROUTES) {
      const { status, headers } = await send(method, path);
      const about = `${method} ${path} ${status}`;
      expect(headers['x-content-type-options'], about).toBe('nosniff');
      const policy = String(headers['content-security-policy']);
      expect(policy, about).toMatch(
        /^default-src '(?:none|self)'; (?:[^,]*; )?frame-ancestors 'none'(?:;|$)/,
      );
      expect(policy.includes("script-src 'unsafe-inline'"), about).toBe(false);
      if (isPage(headers['content-type'])) {
        expect(headers['referrer-policy'], about).toBe('no-referrer');
        expect(headers['cross-origin-opener-policy'], about).toBe('same-origin');
        expect(policy, about).toMatch(/base-uri 'none'/);
      }
      if (!/^\/(?:v1|hooks)\//.test(path))
        expect(headers['strict-transport-security'], about).toMatch(/max-age=\d{8}/);
      if (/^\/(?:v1|hooks|dashboard)\//.test(path)) expect(headers['cache-control'], about).toBe('no-store');
    }
  });
});

describe('a request without a route', () => {
  it.each(['/nothing', '/v1/nothing', '/dashboard/api/nothing', '/%00'])('%s has them too', async (path) => {
    const { headers } = await scene.live.send({ path, key: null });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each([
    'GET / HTTP/1.1\r\n\r\n',
    'nonsense\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ])('a malformed request gets an answer that forbids content sniffing', async (text) => {
    const { answers } = await exchange(scene.service.port, { bytes: Buffer.from(text), answers: 1 });
    expect(answers).toHaveLength(1);
    expect(answers[0]?.status).toBeGreaterThan(399);
    expect(answers[0]?.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an answer to a valid key', () => {
  it('has them in every operation', async () => {
    const answers = [
      await scene.live.assess({ email: 'jo@headers-harbour.com' }),
      await scene.live.usage(),
      await scene.live.feedback({}),
    ];
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
      });
  });
});

function isPage(type: string | undefined): boolean {
  return type?.startsWith('text/html') === true;
}
