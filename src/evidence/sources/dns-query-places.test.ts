import { describe, expect, it } from 'vitest';
import { CONTROL, type QueryPlace, QueryPlaces } from './dns-query-places.ts';

/** Takes as many places as the tenant gets. */
function takeAll(places: QueryPlaces, tenant: string, lost: string[] = []): QueryPlace[] {
  const tenantPlaces: QueryPlace[] = [];
  for (;;) {
    const place = places.take(tenant, () => lost.push(tenant));
    if (place === undefined) return tenantPlaces;
    tenantPlaces.push(place);
  }
}

/** Waits for places repeatedly, and notes each turn. */
function queue(places: QueryPlaces, tenant: string, turns: string[], count: number): void {
  for (let at = 0; at < count; at += 1) {
    places.wait(tenant, () => {
      if (places.take(tenant, () => {}) !== undefined) turns.push(tenant);
    });
  }
}

describe('a share of the places', () => {
  it('is half of them for a single tenant, and leaves the other half to others', () => {
    const places = new QueryPlaces({ capacity: 256, maxWaiting: 512 });
    expect(takeAll(places, 'greedy')).toHaveLength(128);
    expect(takeAll(places, 'late-comer')).toHaveLength(64);
  });

  it('becomes equal between greedy tenants as places are released, with an equal share free for one more', () => {
    const places = new QueryPlaces({ capacity: 64, maxWaiting: 512 });
    const tenants = ['a', 'b', 'c'];
    const placesByTenant = new Map<string, QueryPlace[]>();
    for (const tenant of tenants) {
      placesByTenant.set(tenant, takeAll(places, tenant));
      const again = () => {
        placesByTenant.get(tenant)?.push(...takeAll(places, tenant));
        places.wait(tenant, again);
      };
      places.wait(tenant, again);
    }
    for (let round = 0; round < 100; round += 1)
      for (const tenant of tenants) placesByTenant.get(tenant)?.shift()?.release();
    const sizes = tenants.map((tenant) => placesByTenant.get(tenant)?.length ?? 0);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
    expect(64 - sizes.reduce((sum, size) => sum + size)).toBeGreaterThanOrEqual(14);
  });

  it('never blocks the questions about the resolver itself', () => {
    const places = new QueryPlaces({ capacity: 1, maxWaiting: 512 });
    expect(takeAll(places, 'greedy')).toHaveLength(1);
    expect(places.take(CONTROL, () => {})).toBeDefined();
  });
});

describe('a queue', () => {
  it('gives tenants turns one after the other, however many requests of one tenant came first', () => {
    const places = new QueryPlaces({ capacity: 8, maxWaiting: 512 });
    const turns: string[] = [];
    const occupied = takeAll(places, 'holder');
    queue(places, 'many', turns, 20);
    takeAll(places, 'many');
    turns.length = 0;
    queue(places, 'few', turns, 1);
    for (const place of occupied) place.release();
    expect(turns.indexOf('few')).toBeLessThanOrEqual(1);
    expect(turns).toContain('many');
  });

  it('is limited, and a request that no longer waits leaves it', () => {
    const places = new QueryPlaces({ capacity: 1, maxWaiting: 2 });
    const [place] = takeAll(places, 'one');
    const turns: string[] = [];
    const leave = places.wait('one', () => turns.push('left'));
    places.wait('one', () => turns.push('stayed'));
    expect(places.wait('one', () => {})).toBeUndefined();
    expect(places.wait('another', () => turns.push('another'))).toBeDefined();
    leave?.();
    place?.release();
    expect(turns.toSorted()).toEqual(['another', 'stayed']);
  });

  it('ends with a turn that has no place', () => {
    const places = new QueryPlaces({ capacity: 1, maxWaiting: 2 });
    takeAll(places, 'one');
    const found: unknown[] = [];
    places.wait('one', () => found.push(places.take('one', () => {})));
    places.close();
    expect(found).toEqual([undefined]);
    expect(places.wait('one', () => {})).toBeUndefined();
  });
});

describe('a place that was yielded', () => {
  it('counts as free, and is lost only if another request needs it', () => {
    const places = new QueryPlaces({ capacity: 6, maxWaiting: 2 });
    const lost: string[] = [];
    const occupied = takeAll(places, 'slow', lost);
    expect(occupied).toHaveLength(3);
    for (const place of occupied) place.yield();
    expect(takeAll(places, 'other', lost)).toHaveLength(3);
    expect(lost).toEqual([]);
    expect(places.take('third', () => {})).toBeDefined();
    expect(lost).toEqual(['slow']);
    for (const place of occupied) place.release();
    expect(places.take('fourth', () => {})).toBeDefined();
    expect(lost).toEqual(['slow']);
  });

  it('is given at once to a request that waits', () => {
    const places = new QueryPlaces({ capacity: 1, maxWaiting: 2 });
    const turns: string[] = [];
    const [place] = takeAll(places, 'slow');
    queue(places, 'other', turns, 1);
    place?.yield();
    expect(turns).toEqual(['other']);
  });
});
