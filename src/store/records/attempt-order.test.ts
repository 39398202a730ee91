import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { type AttemptColumns, MARKS } from '../../model/velocity-event.ts';
import { isBrought, isNamed, NAMED_FACT } from '../../model/velocity-facts.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { wasBlocked } from '../was-blocked.ts';
import { createAttemptOrder } from './attempt-order.ts';
import { readAttempts, writeAttempt, writeGroups } from './batch-text.ts';

const odd = fc.string({ unit: fc.constantFrom('a', 'ü', '🦊', '\t', '\n', '\\', '"', '\u0000') });
const stored: fc.Arbitrary<StoredAssessment> = fc
  .record({
    accountId: fc.constantFrom('acc_a', 'acc_b'),
    mode: fc.constantFrom('live', 'live', 'test'),
    verdict: fc.constantFrom('allow', 'block'),
    shadow: fc.boolean(),
    at: fc.nat(1_000),
    network: fc.option(fc.ipV4()),
    emailDomain: fc.oneof(fc.domain(), odd),
    addressHash: fc.constantFrom('a1', 'a2', 'a3'),
    mailboxHash: fc.constantFrom('a1', 'b2'),
    facts: fc.constantFrom('[]', `[0${NAMED_FACT}]`),
  })
  .map((some) => ({ ...anAssessment(), ...some }) as StoredAssessment);
const anyOrder = fc.array(fc.array(stored, { minLength: 1, maxLength: 8 }), { maxLength: 8 });
/** The usual form of stored attempts. */
const inOrder = anyOrder.map((all) => {
  const sorted = all.flat().sort((a, b) => a.at - b.at);
  return all.map(({ length }) => sorted.splice(0, length));
});
const batches = fc.oneof(anyOrder, inOrder);

/** @param erased its line is empty */
function textsOf(batch: readonly StoredAssessment[], erased: number) {
  const ids = batch.map(({ requestId }, place) => (place === erased ? '' : requestId));
  const lines = batch.map((each, place) => (place === erased ? '' : writeAttempt(place, each)));
  const groups = batch.map((each) => ({
    ...each,
    isBrought: isBrought(each),
    isBlocked: wasBlocked(each),
    isNamed: isNamed(each),
  }));
  return { ids: ids.join(' '), attempts: [writeGroups(groups), ...lines].join('\n') };
}

function textOf({ accounts, account, at, marks, keys, bytes }: AttemptColumns, index: number): string {
  const key = (number: number) => {
    const bound = 8 * index + 2 * number;
    return Buffer.from(bytes.subarray(keys[bound], keys[bound + 1])).toString();
  };
  const keysOf = [key(0), key(1), key(2), key(3)];
  const mark = marks[index] as number;
  const marked = [(mark & MARKS.blocked) !== 0, (mark & MARKS.named) !== 0];
  return JSON.stringify([at[index], accounts[account[index] as number], ...marked, ...keysOf]);
}

it('gives the attempts of all batches once and in order of time, however the batches overlap', () => {
  fc.assert(
    fc.property(batches, fc.nat(1_000), fc.nat(8), (all, since, erased) => {
      const order = createAttemptOrder(since);
      const texts: string[] = [];
      const take = (before: number) => {
        const chunk = order.take(before);
        const times = [...chunk.at.subarray(0, chunk.length)];
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((at) => at < before)).toBe(true);
        for (let index = 0; index < chunk.length; index += 1) texts.push(textOf(chunk, index));
      };
      for (const [place, batch] of all.entries()) {
        order.add(Buffer.from(textsOf(batch, erased).attempts));
        take(place * 100);
      }
      take(Number.POSITIVE_INFINITY);
      const expected = all
        .flatMap((batch) => readAttempts(textsOf(batch, erased), since))
        .map((e) =>
          JSON.stringify([
            e.at,
            e.account,
            e.blocked === true,
            e.named === true,
            e.network ?? '',
            e.domain,
            e.addressHash,
            e.mailbox,
          ]),
        );
      expect(texts.sort()).toEqual(expected.sort());
    }),
  );
});
