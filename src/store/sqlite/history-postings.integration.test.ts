import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../sqlite-driver.ts';
import { createPostings, mergeSources } from './history-postings.ts';

const SCHEMA = readFileSync(new URL('./history-index.sql', import.meta.url), 'utf8');
const RUN = 8;

describe('postings', () => {
  it('come newest first, each once, however much the runs of the log overlap in time', () => {
    const places = fc.array(fc.record({ at: fc.nat(40), term: fc.constantFrom(1, 2, 3) }), { maxLength: 60 });
    fc.assert(
      fc.property(places, fc.nat(40), fc.integer({ min: 1, max: 9 }), (given, from, count) => {
        const index = openSqlite(':memory:');
        index.exec(SCHEMA);
        const add = index.prepare('INSERT INTO postings VALUES (?, ?, ?, ?)');
        const widen = index.prepare(
          `INSERT INTO segments VALUES (?, ?, ?) ON CONFLICT DO UPDATE
             SET min_at = min(min_at, excluded.min_at), max_at = max(max_at, excluded.max_at)`,
        );
        for (const [index, { at, term }] of given.entries()) {
          const segment = Math.floor(index / RUN);
          widen.run(segment, at, at);
          add.run(segment, term, at, index + 1);
        }
        const source = mergeSources([1, 2].map(createPostings(index)));
        const found: { at: number; seq: number }[] = [];
        let before = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };
        for (;;) {
          const next = source.read(before, from, count);
          found.push(...next);
          if (next.length < count) break;
          before = next.at(-1) as { at: number; seq: number };
        }
        const expected = given
          .map((place, index) => ({ ...place, seq: index + 1 }))
          .filter(({ at, term }) => at >= from && term !== 3)
          .sort((a, b) => b.at - a.at || b.seq - a.seq);
        expect(found.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
        const all = { at: Number.MAX_SAFE_INTEGER, seq: 0 };
        expect(source.estimate(all, from, 1_000)).toBe(expected.length);
        index.close();
      }),
    );
  });
});
