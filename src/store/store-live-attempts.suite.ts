/** Attempts that every store must return for velocity counts: those of a day, when a service starts. */
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { MARKS, type VelocityEvent } from '../model/velocity-event.ts';
import { BROUGHT_FACT, NAMED_FACT } from '../model/velocity-facts.ts';
import type { AssessmentRecord, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
/** A store may refuse writes that come too fast. */
const AT_ONCE = 500;

export function describeLiveAttempts(openStore: () => Store, makeId: MakeId): void {
  const newAccount = () => makeId('acc', NOW);
  const assessment = (values: Partial<AssessmentRecord>) =>
    anAssessment({ requestId: makeId('req', values.at ?? NOW), ...values });

  async function attemptsOf(accountId: string, since: number): Promise<VelocityEvent[]> {
    const attempts: VelocityEvent[] = [];
    for await (const chunk of openStore().liveAttempts(since)) attempts.push(...chunk);
    return attempts.filter(({ account }) => account === accountId);
  }

  describe('live attempts', () => {
    it('are read oldest first, from a given time on, without sandbox attempts', async () => {
      const accountId = newAccount();
      const at = NOW + 5_000;
      const records = [at - 1, at, at + 1, at + 2].map((time, index) =>
        assessment({
          accountId,
          at: time,
          addressHash: `h${index}`,
          network: index === 2 ? null : '2001:db8::/64',
        }),
      );
      await openStore().record(assessment({ accountId, at: at + 1, mode: 'test' }));
      for (const record of records) await openStore().record(record);
      const shown = { account: accountId, domain: 'example.com', mailbox: 'mailbox-hash' };
      expect(
        (await attemptsOf(accountId, at)).map((attempt) => ({ ...attempt, id: undefined })),
      ).toMatchObject([
        { ...shown, at: at + 1, addressHash: 'h2', network: null },
        { ...shown, at: at + 2, addressHash: 'h3', network: '2001:db8::/64' },
      ]);
      expect(await attemptsOf(accountId, at - 2)).toHaveLength(4);
      const own: VelocityEvent[] = [];
      for await (const chunk of openStore().liveAttempts(at - 2, accountId)) own.push(...chunk);
      expect(own.map(({ id }) => id)).toEqual(records.map(({ requestId }) => requestId));
    });

    it('are read without people whom somebody brought', async () => {
      const accountId = newAccount();
      const at = NOW + 50_000;
      const { facts } = anAssessment() as { facts: string };
      const brought = `${facts.slice(0, -1)}${BROUGHT_FACT}]`;
      const reason = `"${BROUGHT_FACT}`;
      const list = JSON.stringify(['lst_1', 'deny', 'domain', 'x.example', reason]);
      const named = `${facts.slice(0, -1)},"list",${list}]`;
      const records = [facts, brought, named].map((text, index) =>
        assessment({ accountId, at: at + index, addressHash: `h${index}`, facts: text }),
      );
      for (const record of records) await openStore().record(record);
      const read = [...(await attemptsOf(accountId, at - 1))];
      expect(read.map(({ addressHash }) => addressHash)).toEqual(['h0', 'h2']);
      const counted: number[] = [];
      for await (const chunk of openStore().attemptsToCount(at - 1)) {
        if (!('bytes' in chunk))
          counted.push(...chunk.filter((each) => each.account === accountId).map((each) => each.at));
        else
          for (let index = 0; index < chunk.length; index += 1)
            if (chunk.accounts[chunk.account[index] as number] === accountId)
              counted.push(chunk.at[index] as number);
      }
      expect(counted).toEqual([at, at + 2]);
    });

    it('say which were answered with block, and whose address has a name', async () => {
      const accountId = newAccount();
      const at = NOW + 70_000;
      const { facts } = anAssessment() as { facts: string };
      const named = { facts: `${facts.slice(0, -1)}${NAMED_FACT}]` };
      const answers = [
        { verdict: 'block' as const, shadow: false },
        { verdict: 'block' as const, shadow: true, ...named },
        { verdict: 'challenge' as const, shadow: false },
        { verdict: 'block' as const, shadow: false, ...named },
      ];
      const expected = [
        [true, false],
        [false, true],
        [false, false],
        [true, true],
      ];
      const records = answers.map((answer, index) => assessment({ accountId, at: at + index, ...answer }));
      await Promise.all(records.map((record) => openStore().record(record)));
      const marksOf = ({ blocked, named }: VelocityEvent) => [blocked === true, named === true];
      expect((await attemptsOf(accountId, at - 1)).map(marksOf)).toEqual(expected);
      const counted: boolean[][] = [];
      for await (const chunk of openStore().attemptsToCount(at - 1))
        if (!('bytes' in chunk))
          counted.push(...chunk.filter((each) => each.account === accountId).map(marksOf));
        else
          for (let index = 0; index < chunk.length; index += 1)
            if (chunk.accounts[chunk.account[index] as number] === accountId)
              counted.push(
                [MARKS.blocked, MARKS.named].map((mark) => ((chunk.marks[index] as number) & mark) !== 0),
              );
      expect(counted).toEqual(expected);
    });

    it('are read completely when there are many', async () => {
      const accountId = newAccount();
      const at = NOW + 100_000;
      const records = Array.from({ length: 4_500 }, (_, index) => assessment({ accountId, at: at + index }));
      for (let from = 0; from < records.length; from += AT_ONCE) {
        await Promise.all(records.slice(from, from + AT_ONCE).map((record) => openStore().record(record)));
      }
      const times = (await attemptsOf(accountId, at - 1)).map((attempt) => attempt.at);
      expect(times).toEqual(records.map((record) => record.at));
    });
  });
}
