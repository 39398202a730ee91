import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { rounds } from '../../../test/support/long-version.ts';
import { isNamed, NAMED_FACT } from '../../model/velocity-facts.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { type BatchRow, readAttempts, readBatch } from './batch-text.ts';
import { toTexts } from './record-batch.ts';

const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/);
const odd = fc.string({
  unit: fc.constantFrom('a', 'ü', '🦊', '\t', '\n', '\\', '"', ' ', '\u0000', '\ud800', '*', '@', '='),
});
const record: fc.Arbitrary<StoredAssessment> = fc
  .record({
    mode: fc.constantFrom('live', 'test'),
    shadow: fc.boolean(),
    at: fc.integer({ min: 0, max: 4e12 }),
    verdict: fc.constantFrom('allow', 'challenge', 'block'),
    score: fc.double({ min: 0, max: 100, noNaN: true }),
    reasons: fc.array(word, { maxLength: 4 }),
    weights: fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 4 }),
    emailDomain: fc.oneof(
      word.map((name) => `${name}.example`),
      odd,
    ),
    addressHash: word,
    mailboxHash: word,
    emailMasked: odd,
    email: fc.option(odd.filter((text) => text !== '')),
    ip: fc.option(fc.ipV4()),
    network: fc.option(fc.ipV4()),
    countryCode: fc.constantFrom('', 'DE'),
    asn: fc.nat(),
    sessionId: fc.option(odd),
    processedMs: fc.nat(),
    keyId: word,
    accountId: word,
  })
  .chain((head) =>
    fc.constantFrom(head, {
      ...head,
      mailboxHash: head.addressHash,
      emailMasked: `j***@${head.emailDomain}`,
      ip: head.network,
    }),
  )
  .chain((head) =>
    fc
      .oneof(fc.json(), odd, fc.string({ unit: anyCharacter }), fc.constant(`[1${NAMED_FACT}]`))
      .map((facts) => ({ ...anAssessment(), ...head, facts }) as unknown as StoredAssessment),
  );

const rowOf = (records: readonly StoredAssessment[]): BatchRow => ({ seq: 7, ...toTexts(records) });

describe('the texts of a batch', () => {
  it('give every record back unchanged', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const { cap: _, claim: __, ...rest } = { cap: 0, claim: 0 };
        const read = readBatch(rowOf(records)).map(({ seq, ...each }) => [seq, each]);
        expect(read).toEqual(records.map((each, place) => [7 + place, { ...rest, ...stripped(each) }]));
      }),
      { numRuns: rounds(15, 2_000) },
    );
  });

  it('are read where they are wanted and not erased', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 5 }),
        fc.nat(31),
        fc.nat(31),
        (records, erased, unwanted) => {
          const row = rowOf(
            records.map((each, place) => (erased & (1 << place) ? { ...each, requestId: '' } : each)),
          );
          const isWanted = (place: number) => (unwanted & (1 << place)) === 0;
          const left = readBatch(rowOf(records)).filter((_, place) => (erased & (1 << place)) === 0);
          expect(readBatch(row)).toEqual(left);
          expect(readBatch(row, isWanted)).toEqual(left.filter(({ seq }) => isWanted(seq - row.seq)));
        },
      ),
      { numRuns: rounds(30, 2_000) },
    );
  });

  it('give velocity the live attempts after an instant', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(4e12), (records, since) => {
        expect(readAttempts(rowOf(records), since)).toEqual(
          records
            .filter(({ mode, at }) => mode === 'live' && at > since)
            .map((each) => ({
              id: each.requestId,
              account: each.accountId,
              at: each.at,
              network: each.network,
              domain: each.emailDomain,
              addressHash: each.addressHash,
              mailbox: each.mailboxHash,
              blocked: each.verdict === 'block' && !each.shadow,
              named: isNamed(each),
            })),
        );
      }),
    );
  });

  it('give the attempts of one account', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(4e12), (records, since) => {
        const all = readAttempts(rowOf(records), since);
        for (const account of [...records.map(({ accountId }) => accountId), 'acc_without_any'])
          expect(readAttempts(rowOf(records), since, account)).toEqual(
            all.filter((attempt) => attempt.account === account),
          );
      }),
    );
  });

  it('keep a line break in the facts of any record', () => {
    for (const facts of [['{}', 'a\nb', '{}'], ['\n', '{}'], ['{}', '\n\n'], ['\n']]) {
      const records = facts.map((each) => ({ ...anAssessment(), facts: each }));
      expect(readBatch(rowOf(records))).toMatchObject(facts.map((each) => ({ facts: each })));
    }
  });

  it('leave out erased records, and refuse an unknown form', () => {
    const row = rowOf([anAssessment(), anAssessment(), anAssessment()]);
    const blank = (text: string, at: number, by: string) =>
      text
        .split(by)
        .map((each, place) => (place === at ? '' : each))
        .join(by);
    const erased = {
      seq: 7,
      ids: blank(row.ids, 1, ' '),
      attempts: blank(row.attempts, 2, '\n'),
      details: blank(row.details, 1, '\n'),
    };
    expect(readBatch(erased).map(({ seq }) => seq)).toEqual([7, 9]);
    expect(readAttempts(erased, 0)).toHaveLength(2);
    expect(() => readBatch({ ...row, attempts: row.attempts.replace('1', '9') })).toThrow('unknown form 9');
  });
});

function stripped(each: StoredAssessment): StoredAssessment {
  const { cap: _, claim: __, ...rest } = each as StoredAssessment & { cap: unknown; claim: unknown };
  return rest;
}
