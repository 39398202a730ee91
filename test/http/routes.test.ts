/** One table of routes: the answers of each kind of path to every method, and to other spellings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scene, startScene } from '../support/scene.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const READ = ['GET', 'HEAD'];

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({});
});
afterAll(() => scene?.end());

/** Path, and its methods. */
const ROUTES: readonly (readonly [string, readonly string[]])[] = [
  ['/v1/assess', ['POST']],
  ['/v1/assess/req_1', READ],
  ['/v1/feedback', ['POST']],
  ['/v1/usage', READ],
  ['/v1/manage/accounts', [...READ, 'POST']],
  ['/v1/manage/accounts/acc_1/keys/key_1', [...READ, 'PATCH', 'DELETE']],
  ['/v1/manage/audit', READ],
  ['/healthz', READ],
  ['/metrics', READ],
  ['/docs', READ],
  ['/docs/', READ],
  ['/openapi.json', READ],
  ['/', READ],
  ['/setup', READ],
  ['/dashboard/auth/sign-in/email', ['POST']],
  ['/dashboard/api/session', READ],
  ['/dashboard/api/sessions', [...READ, 'DELETE']],
  ['/dashboard/api/accounts/acc_1/keys', [...READ, 'POST']],
  ['/dashboard/api/accounts/acc_1/keys/key_1', ['PATCH']],
  ['/dashboard/api/accounts/acc_1/lists/preview', ['POST', 'DELETE']],
];

describe('a path', () => {
  it.each(ROUTES)('%s accepts %j, and nothing else', async (path, methods) => {
    for (const method of METHODS) {
      const { status, headers } = await scene.live.send({ method, path, key: null });
      if (methods.includes(method)) {
        expect([405, 404], method).not.toContain(status);
      } else {
        expect(status, method).toBe(405);
        expect(headers.allow?.split(', ').sort(), method).toEqual([...methods].sort());
      }
    }
  });

  // Parameters accept any text.
  const plain = ROUTES.map(([path]) => path).filter((path) => !/_1|\/$/.test(path));

  it.each(plain)('%s is not found in another spelling', async (path) => {
    const encoded = `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`;
    for (const other of [`${path}//`, `/${path}`, encoded, `${path}#x`, `${path}%zz`])
      expect((await scene.live.send({ path: other, key: null })).status, other).toBe(404);
  });

  it('is found in the absolute form that proxies get', async () => {
    const statusOf = async (path: string) => (await scene.live.send({ path, key: null })).status;
    expect(await statusOf('http://localhost/healthz?x=1')).toBe(200);
    expect(await statusOf('http://[::1]:8080/v1/usage')).toBe(401);
    expect(await statusOf('http://localhost')).toBe(200);
    expect(await statusOf('http://')).toBe(404);
    expect(await statusOf('http://[::1')).toBe(404);
    expect(await statusOf('ftp://localhost/healthz')).toBe(404);
    const page = { path: 'http:///x', key: null, headers: { accept: 'text/html' } };
    expect((await scene.live.send(page)).status).toBe(404);
  });

  it('in absolute form refuses other methods in the same way', async () => {
    for (const target of ['/v1/assess', 'http://localhost/v1/assess']) {
      const { status, headers } = await scene.live.send({ method: 'DELETE', path: target, key: null });
      expect([status, headers.allow], target).toEqual([405, 'POST']);
    }
  });

  it.each(ROUTES.map(([path]) => path).filter((path) => !/setup|\/$|docs$/.test(path)))(
    '%s is not found with a slash at its end',
    async (path) => {
      for (const method of METHODS) {
        // GET /v1/assess/ is getAssessment with an empty id.
        if (path === '/v1/assess' && READ.includes(method)) continue;
        const { status, headers } = await scene.live.send({ method, path: `${path}/`, key: null });
        expect([status, headers.allow], method).toEqual([404, undefined]);
      }
    },
  );

  it('is refused with a parameter that is too long or cannot be decoded', async () => {
    const keys = (account: string) => `/dashboard/api/accounts/${account}/keys`;
    const statusOf = async (path: string) => (await scene.live.send({ path, key: null })).status;
    expect(await statusOf(keys('a'.repeat(100)))).toBe(401);
    expect(await statusOf(keys('a'.repeat(101)))).toBe(400);
    expect(await statusOf(keys('%ff'))).toBe(404);
    expect(await statusOf('/v1/assess/%zz')).toBe(404);
  });
});

describe('a body', () => {
  const big = 'x'.repeat(65_537);

  it.each([
    ['/v1/assess', 401],
    ['/dashboard/auth/sign-in/email', 413],
    ['/dashboard/api/claim', 413],
    ['/nowhere', 404],
    ['/healthz', 405],
  ])('that is too large for %s is answered with %i', async (path, expected) => {
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const { status } = await scene.live.send({ method: 'POST', path, key: null, body: big, headers });
      expect(status).toBe(expected);
    }
  });
});
