import { describe, expect, it } from 'vitest';
import { createLoadShedder, type ShedCause } from './load-shedder.ts';

function createScene(maxTurnMs: number | null = 200) {
  const shed: ShedCause[] = [];
  const scene = { now: 0, behind: false, endTurn: () => {}, shed };
  const shedder = createLoadShedder({
    isBehind: () => scene.behind,
    maxTurnMs,
    onShed: (cause) => shed.push(cause),
    makeId: () => 'req_1',
    clock: () => scene.now,
    atEndOfTurn: (act) => {
      scene.endTurn = act;
    },
  });
  const take = (count: number) => Array.from({ length: count }, shedder.sheds).filter(Boolean).length;
  return { scene, shedder, take };
}

describe('the load shedder', () => {
  it('accepts all ready requests, however many, if the turn is short', () => {
    const { scene, take } = createScene();
    scene.now = 200;
    expect(take(20_000)).toBe(0);
  });

  it('refuses the rest of a turn that takes too long, and accepts the next turn', () => {
    const { scene, take } = createScene();
    expect(take(100)).toBe(0);
    scene.now = 201;
    expect(take(50)).toBe(50);
    scene.endTurn();
    expect(take(100)).toBe(0);
    expect(scene.shed).toEqual(Array.from({ length: 50 }, () => 'event_loop'));
  });

  it('accepts a few requests even after a long pause within a turn', () => {
    const { scene, take } = createScene();
    expect(take(1)).toBe(0);
    scene.now = 60_000;
    expect(take(63)).toBe(0);
    expect(take(1)).toBe(1);
  });

  it('never refuses for a long turn if that is turned off', () => {
    const { scene, take } = createScene(null);
    take(100);
    scene.now = 60_000;
    expect(take(1_000)).toBe(0);
  });

  it('decides the same before a request is read, and counts each request once', () => {
    const { scene, shedder, take } = createScene();
    expect(take(64)).toBe(0);
    expect(shedder.refusal('')).toBeUndefined();
    scene.now = 201;
    expect(shedder.refusal('Connection: keep-alive\r\n')).toMatch(
      /^HTTP\/1\.1 503 Service Unavailable\r\nX-Request-Id: req_1\r\n.*\r\nRetry-After: 1\r\n.*\r\nConnection: keep-alive\r\n\r\n\{/s,
    );
    expect(scene.shed).toEqual(['event_loop']);
    scene.endTurn();
    expect(shedder.refusal('')).toBeUndefined();
  });

  it('refuses while commits are behind, and only then', () => {
    const { scene, take } = createScene();
    scene.behind = true;
    expect(take(3)).toBe(3);
    scene.behind = false;
    expect(take(3)).toBe(0);
    expect(scene.shed).toEqual(['commit', 'commit', 'commit']);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/dashboard/api/today'])('never refuses %s', (url) => {
    const { scene, shedder } = createScene();
    scene.behind = true;
    const handled: unknown[] = [];
    shedder.before((request) => handled.push(request.url))({ url } as never, {} as never);
    expect(handled).toEqual([url]);
  });

  it('answers a request to the API with 503, the envelope and Retry-After', () => {
    const { scene, shedder } = createScene();
    scene.behind = true;
    const answer = { status: 0, headers: [] as unknown[], body: '' };
    const response = {
      writeHead(status: number, headers: unknown[]) {
        Object.assign(answer, { status, headers });
        return this;
      },
      end(body: string) {
        answer.body = body;
      },
    };
    shedder.before(() => expect.fail('was handled'))({ url: '/v1/assess' } as never, response as never);
    expect(answer.status).toBe(503);
    expect(answer.headers.join(' ')).toMatch(/^X-Request-Id req_1 .*Retry-After 1/);
    expect(JSON.parse(answer.body).error.code).toBe('unavailable');
  });
});
