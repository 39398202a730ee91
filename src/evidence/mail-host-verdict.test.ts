import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { emptyRecord, type HostRecord, LIFETIME_HOURS } from './mail-host-record.ts';
import { judgeHost, servesOtherListed, viewsOf } from './mail-host-verdict.ts';

const HOUR = 500_000;
const NAMES = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com', 'x.a.com', 'x.b.com'];
const sighting = fc
  .tuple(fc.integer({ min: HOUR - LIFETIME_HOURS - 50, max: HOUR }), fc.nat({ max: 100 }))
  .map(([last, long]) => ({ first: last - long, last }));
const record: fc.Arbitrary<HostRecord> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom(...NAMES),
      kind: fc.constantFrom('listed' as const, 'ordinary' as const, 'neither' as const),
      seen: fc.uniqueArray(fc.tuple(fc.constantFrom('one', 'two', 'three'), sighting), {
        selector: ([account]) => account,
        minLength: 1,
      }),
    }),
    { selector: ({ name }) => name },
  )
  .map((rows) => ({
    ...emptyRecord(0),
    domains: new Map(rows.map(({ name, kind, seen }) => [name, { kind, seen: new Map(seen) }])),
  }));

/** The record as if the domain and its owner had never been seen. */
function without(whole: HostRecord, domain: string): HostRecord {
  const owner = domain.split('.').slice(-2).join('.');
  const rest = [...whole.domains].filter(([name]) => name !== domain && name !== owner);
  return { ...whole, domains: new Map(rest) };
}

it('judges a domain as if the record did not contain it, with the counts from before', () => {
  const account = fc.constantFrom('one', 'two', 'nobody', null);
  fc.assert(
    fc.property(record, fc.constantFrom(...NAMES, 'new.com'), account, (whole, domain, asker) => {
      const question = { account: asker, domain, hour: HOUR, minListed: 2 };
      const rest = without(whole, domain);
      const views = viewsOf(whole, HOUR);
      expect(judgeHost(whole, question, views)).toEqual(judgeHost(rest, { ...question, domain: 'new.com' }));
      const others = servesOtherListed(rest, 'new.com', HOUR);
      expect(servesOtherListed(whole, domain, HOUR, views)).toBe(others);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
