import { expect, it } from 'vitest';
import { createRouter } from './router.ts';

function routerOf(...routes: string[]) {
  const router = createRouter<string>();
  for (const route of routes) router.add(...(route.split(' ') as [string, string]), route);
  return router;
}

it('finds a route by method and path, and reads the parameters of the path', () => {
  const router = routerOf('POST /v1/assess', 'GET /v1/assess/:id', 'PUT /a/:account/keys/:key');
  expect(router.find('POST', '/v1/assess')).toEqual({ route: 'POST /v1/assess', params: {} });
  expect(router.find('GET', '/v1/assess/a%2Fb')).toEqual({
    route: 'GET /v1/assess/:id',
    params: { id: 'a/b' },
  });
  expect(router.find('PUT', '/a/acc_1/keys/key_2')?.params).toEqual({ account: 'acc_1', key: 'key_2' });
});

it('answers HEAD with the route of GET', () => {
  const router = routerOf('GET /page', 'GET /pages/:name');
  expect(router.find('HEAD', '/page')?.route).toBe('GET /page');
  expect(router.find('HEAD', '/pages/x')?.route).toBe('GET /pages/:name');
});

it.each([
  '/page/',
  '//page',
  '/Page',
  '/page%20',
  '/page;x',
  '/page#x',
  '',
  '*',
  '/pages/',
  '/pages/x/y',
  '/pages/x/',
  '/pages/%zz',
  '/pages/%ff',
])('finds nothing for another spelling: %s', (path) => {
  expect(routerOf('GET /page', 'GET /pages/:name').find('GET', path)).toBeUndefined();
});

it('prefers a literal segment to a parameter, in any order of addition', () => {
  for (const routes of [
    ['GET /a/:id/list', 'GET /a/:id/:what', 'GET /:any/x/list'],
    ['GET /:any/x/list', 'GET /a/:id/:what', 'GET /a/:id/list'],
  ]) {
    const router = routerOf(...routes);
    expect(router.find('GET', '/a/x/list')?.route).toBe('GET /a/:id/list');
    expect(router.find('GET', '/a/x/other')?.route).toBe('GET /a/:id/:what');
    expect(router.find('GET', '/b/x/list')?.route).toBe('GET /:any/x/list');
  }
});

it('prefers a literal start to an earlier parameter, and uses the other route for other methods', () => {
  const routes = ['GET /:any/:id', 'PUT /:any/:id', 'GET /a/:id', 'POST /a/:other?'];
  for (const added of [routes, routes.toReversed()]) {
    const router = routerOf(...added);
    expect(router.find('GET', '/a/x')).toEqual({ route: 'GET /a/:id', params: { id: 'x' } });
    expect(router.find('PUT', '/a/x')).toEqual({ route: 'PUT /:any/:id', params: { any: 'a', id: 'x' } });
    expect(router.find('POST', '/a/')).toEqual({ route: 'POST /a/:other?', params: { other: '' } });
    expect(router.find('GET', '/a/')).toBeUndefined();
    expect(router.find('GET', '/a/%zz')).toBeUndefined();
  }
});

it('uses a parameter if the literal path has other methods, and lists all methods of a path', () => {
  const router = routerOf('POST /lists/preview', 'DELETE /lists/:id', 'GET /lists/:id');
  expect(router.find('DELETE', '/lists/preview')?.params).toEqual({ id: 'preview' });
  expect(router.methodsOf('/lists/preview')).toEqual(['POST', 'DELETE', 'GET', 'HEAD']);
  expect(router.methodsOf('/lists/other')).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(router.methodsOf('/nothing')).toEqual([]);
  expect(router.methodsOf('/lists/')).toEqual([]);
});

it('accepts an empty parameter if the pattern allows it, for its own methods only', () => {
  const router = routerOf('POST /assess', 'GET /assess/:id?');
  expect(router.find('GET', '/assess/')?.params).toEqual({ id: '' });
  expect(router.find('GET', '/assess/a')?.params).toEqual({ id: 'a' });
  expect(router.find('POST', '/assess/')).toBeUndefined();
  expect(router.methodsOf('/assess/')).toEqual([]);
  expect(router.methodsOf('/assess/a')).toEqual(['GET', 'HEAD']);
});

it('does not mistake prototype names for parameters or methods', () => {
  const router = routerOf('GET /a/:id');
  expect(router.find('GET', '/a/__proto__')?.params).toEqual({ id: '__proto__' });
  expect(router.find('constructor', '/a/x')).toBeUndefined();
});

it('refuses two routes for one method and path', () => {
  expect(() => routerOf('GET /a/:id', 'GET /a/:id')).toThrow('GET /a/:id has two routes');
  expect(() => routerOf('GET /a', 'HEAD /a')).toThrow('HEAD /a has two routes');
});
