/** Results that every store must find among stored assessments, compared with a recount of all. Part of the suite that each adapter runs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { asStored } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Verdict } from '../contract/messages.ts';
import { type HistoryEntry, type HistorySearch, SLOT_MS } from './history-store.ts';
import type { Account, Feedback, Store } from './store.ts';
import {
  combinedWeight,
  countVerdicts,
  createPick,
  createRandom,
  createSampleMaker,
  DAY_MS,
  GROUP_VALUES,
  MIDDLE,
  matches,
  NOW,
  REASONS,
  type SampleAssessment,
  SESSIONS,
  sampleSearches,
} from './store-history-samples.suite.ts';

const ROWS = 700;

export function describeHistory(store: () => Store, makeId: MakeId): void {
  describe('the history', () => {
    const random = createRandom(20_260_510);
    const pick = createPick(random);
    const [accountId, otherId] = [makeId('acc', NOW), makeId('acc', NOW)];
    const keyIds = [makeId('key', NOW), makeId('key', NOW)];
    const stored: SampleAssessment[] = [];
    const feedback = new Map<string, Feedback>();

    const makeSample = createSampleMaker({ random, makeId, accountId, otherId, keyIds });
    const record = async (sample: SampleAssessment) => {
      await store().record(sample);
      stored.push(sample);
    };

    beforeAll(async () => {
      for (const id of [accountId, otherId]) await store().saveAccount(account(id));
      for (const id of keyIds) await store().saveKey(key(id, accountId));
      await Promise.all(Array.from({ length: ROWS }, () => record(makeSample())));
      for (const { requestId } of stored.filter(() => random() < 0.15)) {
        const mark = {
          requestId,
          outcome: pick(['false_positive', 'false_negative', 'confirmed_fraud'] as const),
          note: pick(SESSIONS),
          keyId: pick([keyIds[0] as string, 'jo@example.com']),
          at: NOW + Math.floor(random() * 50),
        };
        feedback.set(requestId, mark);
        await store().saveFeedback(mark);
      }
    });

    /** Newest first; those from the same millisecond in any order. */
    const expected = (search: HistorySearch, of = accountId) =>
      stored
        .filter((sample) => sample.accountId === of && matches(sample, search, feedback))
        .map((sample) => sample.requestId)
        .sort();
    async function pages(search: HistorySearch, limit: number, between = async () => {}) {
      const rows: HistoryEntry[] = [];
      let after = null;
      do {
        const page = await store().findAssessments(accountId, search, after, limit);
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        expect(page.partial).toBe(false);
        rows.push(...page.rows);
        after = page.next;
        await between();
      } while (after !== null);
      expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((a, b) => b - a));
      return rows;
    }

    it.each(sampleSearches(keyIds[1] as string))('finds %j, as a recount does', async (search) => {
      const rows = await pages(search, 97);
      expect(rows.map(({ requestId }) => requestId).sort()).toEqual(expected(search));
    });

    it.each(sampleSearches(keyIds[1] as string))(
      'counts %j by verdict, as a recount does',
      async (search) => {
        for (const of of [accountId, otherId]) {
          const found = stored.filter((each) => each.accountId === of && matches(each, search, feedback));
          const count = (verdict: Verdict) => found.filter((each) => each.verdict === verdict).length;
          expect(await store().countVerdicts(of, search)).toEqual({
            allow: count('allow'),
            challenge: count('challenge'),
            block: count('block'),
            reached: null,
          });
        }
      },
    );

    it.each(sampleSearches(keyIds[1] as string))(
      'groups %j by each property, as a recount does',
      async (search) => {
        const found = stored.filter(
          (each) => each.accountId === accountId && matches(each, search, feedback),
        );
        for (const [by, toValue] of GROUP_VALUES) {
          const { groups, reached } = await store().countGroups(accountId, search, by);
          expect(reached).toBeNull();
          expect(groups.map(({ value }) => value).sort()).toEqual([...new Set(found.map(toValue))].sort());
          for (const { value, verdicts, observed, newestAt, oldestAt } of groups) {
            const of = found.filter((each) => toValue(each) === value);
            expect({ verdicts, observed, newestAt, oldestAt }).toEqual({
              verdicts: countVerdicts(of),
              observed: countVerdicts(of.filter(({ shadow }) => shadow)),
              newestAt: Math.max(...of.map(({ at }) => at)),
              oldestAt: Math.min(...of.map(({ at }) => at)),
            });
          }
          const sizes = groups.map(({ verdicts }) => verdicts.allow + verdicts.challenge + verdicts.block);
          expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        }
      },
    );

    it('finds an assessment by its id, in its own account only', async () => {
      const sample = stored.find((each) => each.accountId === otherId) as SampleAssessment;
      const { requestId } = sample;
      expect((await store().findAssessments(otherId, { requestId }, null, 5)).rows).toHaveLength(1);
      expect((await store().findAssessments(accountId, { requestId }, null, 5)).rows).toEqual([]);
      expect(await store().findAssessment(accountId, requestId)).toBeUndefined();
      expect(await store().related(accountId, requestId)).toBeUndefined();
      expect(await store().findAssessment(accountId, 'req_\ud800')).toBeUndefined();
    });

    it('shows each assessment as it was recorded, with its feedback', async () => {
      for (const sample of stored.filter((each) => each.accountId === accountId).slice(0, 50)) {
        const mark = feedback.get(sample.requestId);
        const found = await store().findAssessment(accountId, sample.requestId);
        const { findings: _, mainFinding, mailHost, listEntry, campaign, ...assessment } = sample;
        expect(found?.stored).toEqual(asStored(assessment));
        const by = mark?.keyId === keyIds[0] ? 'signup form' : mark?.keyId;
        expect(found?.feedback).toEqual(
          mark === undefined ? null : { outcome: mark.outcome, note: mark.note, at: mark.at, by },
        );
        const { requestId, at, mode, shadow, verdict, score, reasons, emailDomain, ip, countryCode, asn } =
          sample;
        expect(found?.row).toEqual({
          requestId,
          at,
          mode,
          shadow,
          verdict,
          score,
          reasons,
          emailDomain,
          ip,
          countryCode,
          asn,
          email: sample.email ?? sample.emailMasked,
          keyId: sample.keyId,
          keyName: 'signup form',
          sessionId: sample.sessionId,
          feedback: mark?.outcome ?? null,
          facts: sample.facts,
        });
      }
    });

    it('skips and repeats no assessment while new ones arrive', async () => {
      const before = expected({});
      const rows = await pages({}, 150, () => record(makeSample({ accountId, at: NOW + 1_000 })));
      expect(rows.map(({ requestId }) => requestId).sort()).toEqual(before);
    });

    it('exports all assessments, and reads facts up to a limit', async () => {
      const exported: HistoryEntry[] = [];
      for await (const rows of store().exportAssessments(accountId, { mode: 'live' })) exported.push(...rows);
      const live = expected({ mode: 'live' });
      expect(exported.map(({ requestId }) => requestId).sort()).toEqual(live);
      const judged: string[] = [];
      for await (const chunk of store().replayableAssessments(accountId, { mode: 'live', since: 0 }, 400)) {
        for (const { row, stored } of chunk) {
          expect(stored).toMatchObject({
            requestId: row.requestId,
            facts: expect.stringContaining(row.requestId),
          });
          judged.push(row.requestId);
        }
      }
      expect(judged).toEqual(exported.slice(0, 400).map(({ requestId }) => requestId));
      const [keyId] = keyIds as [string];
      const search = { mode: 'test', since: MIDDLE, keyId } as const;
      const ofKey: string[] = [];
      for await (const chunk of store().replayableAssessments(accountId, search, 5_000)) {
        ofKey.push(...chunk.map(({ row }) => row.requestId));
      }
      expect(ofKey.sort()).toEqual(expected({ mode: 'test', from: MIDDLE, keyId }));
      const early: string[] = [];
      const until = { mode: 'live', since: 0, to: MIDDLE } as const;
      for await (const chunk of store().replayableAssessments(accountId, until, 5_000))
        early.push(...chunk.map(({ row }) => row.requestId));
      expect(early.sort()).toEqual(expected({ mode: 'live', to: MIDDLE }));
    });

    it('finds the related signups of each assessment', async () => {
      const same = {
        ip: (a: SampleAssessment, b: SampleAssessment) => a.network !== null && a.network === b.network,
        mailbox: (a: SampleAssessment, b: SampleAssessment) => a.mailboxHash === b.mailboxHash,
        domain: (a: SampleAssessment, b: SampleAssessment) => a.emailDomain === b.emailDomain,
        session: (a: SampleAssessment, b: SampleAssessment) =>
          a.sessionId !== null && a.sessionId === b.sessionId,
      };
      for (const sample of stored.filter((each) => each.accountId === accountId).slice(0, 40)) {
        const groups = (await store().related(accountId, sample.requestId)) ?? [];
        for (const [relation, shares] of Object.entries(same)) {
          const all = stored.filter(
            (other) =>
              other !== sample &&
              other.accountId === accountId &&
              other.mode === sample.mode &&
              shares(sample, other),
          );
          const newest = all.map(({ at }) => at).sort((a, b) => b - a);
          const group = groups.find((each) => each.relation === relation);
          expect(group?.rows.map(({ at }) => at) ?? []).toEqual(newest.slice(0, 10));
          expect(group?.more ?? false).toBe(all.length > 10);
        }
      }
    });

    it('adds up traffic exactly', async () => {
      const [from, to] = [NOW - 2 * DAY_MS, NOW - SLOT_MS];
      const traffic = await store().traffic(accountId, { mode: 'live', from, to });
      const rows = stored.filter(
        (sample) => sample.accountId === accountId && matches(sample, { mode: 'live', from, to }, feedback),
      );
      const slotOf = ({ at }: SampleAssessment) => Math.floor(at / SLOT_MS) * SLOT_MS;
      const slots = [...new Set(rows.map(slotOf))]
        .sort((a, b) => a - b)
        .map((at) => ({ at, ...answersOf(rows.filter((row) => slotOf(row) === at)) }));
      expect(traffic.slots).toEqual(slots);
      for (const { code, count, meanWeight } of traffic.reasons) {
        const having = rows.filter(({ reasons }) => reasons.includes(code));
        const weights = having.map(({ findings }) =>
          combinedWeight(findings.filter((finding) => finding.code === code)),
        );
        expect(count).toBe(having.length);
        expect(meanWeight).toBeCloseTo(weights.reduce((sum, weight) => sum + weight, 0) / having.length, 4);
      }
      expect(traffic.reasons.map(({ count }) => count)).toEqual(
        traffic.reasons.map(({ count }) => count).sort((a, b) => b - a),
      );
      expect(traffic.findings.map(({ detector }) => detector).sort()).toEqual(
        [...new Set(rows.map(({ mainFinding }) => mainFinding))].filter((name) => name !== '').sort(),
      );
      for (const { detector, count, stopped, observed } of traffic.findings) {
        const having = rows.filter(({ mainFinding }) => mainFinding === detector);
        expect(count).toBe(having.length);
        const judged = having.filter(({ verdict }) => verdict !== 'allow');
        expect(stopped).toBe(judged.filter(({ shadow }) => !shadow).length);
        expect(observed).toBe(judged.filter(({ shadow }) => shadow).length);
      }
      expect(traffic.findings.map(({ stopped }) => stopped)).toEqual(
        traffic.findings.map(({ stopped }) => stopped).sort((a, b) => b - a),
      );
      const times = rows.map(({ processedMs }) => processedMs).sort((a, b) => a - b);
      const p50 = times[Math.ceil(times.length * 0.5) - 1] as number;
      const p95 = times[Math.ceil(times.length * 0.95) - 1] as number;
      expect(Math.abs((traffic.latency.p50 ?? -1) - p50)).toBeLessThanOrEqual(p50 < 64 ? 0 : p50 * 0.07);
      expect(Math.abs((traffic.latency.p95 ?? -1) - p95)).toBeLessThanOrEqual(p95 * 0.07);
      const none = await store().traffic(accountId, { mode: 'live', from: 0, to: SLOT_MS });
      expect(none).toMatchObject({ slots: [], reasons: [], findings: [], latency: { p50: null, p95: null } });
    });

    it('counts answers in shadow mode by key, verdict, reasons and main finding', async () => {
      const span = { mode: 'live', from: MIDDLE, to: NOW + SLOT_MS } as const;
      const { counts, labels, reached } = await store().shadowCounts(accountId, span);
      expect(reached).toBeNull();
      for (const keyId of keyIds)
        for (const verdict of ['allow', 'challenge', 'block'] as const) {
          const search = { ...span, shadow: true, keyId, verdicts: [verdict] };
          const found = counts.filter((each) => each.keyId === keyId && each.verdict === verdict);
          expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(expected(search).length);
          for (const reason of REASONS) {
            const having = found.filter(({ reasons }) => reasons.includes(reason));
            const total = having.reduce((sum, { count }) => sum + count, 0);
            expect(total).toBe(expected({ ...search, reason }).length);
          }
          for (const finding of [...REASONS, '']) {
            const having = found.filter((each) => each.finding === finding);
            const total = having.reduce((sum, { count }) => sum + count, 0);
            expect(total).toBe(expected({ ...search, finding }).length);
          }
          for (const label of ['false_positive', 'confirmed_fraud'] as const) {
            const reported = labels.filter(
              (each) => each.keyId === keyId && each.verdict === verdict && each.label === label,
            );
            const total = reported.reduce((sum, { count }) => sum + count, 0);
            expect(total).toBe(expected({ ...search, feedback: label }).length);
            for (const { finding, count } of reported)
              expect(count).toBe(expected({ ...search, feedback: label, finding }).length);
          }
        }
    });

    it('counts by day, today included immediately', async () => {
      const from = Math.floor((NOW - DAY_MS) / DAY_MS) * DAY_MS;
      await record(makeSample({ accountId, at: NOW + 2_000, mode: 'test' }));
      const counts = await store().dayCounts(accountId, from, from + 2 * DAY_MS);
      const brute = [0, 1].map((index) => {
        const [start, end] = [from + index * DAY_MS, from + (index + 1) * DAY_MS];
        const count = (mode: 'live' | 'test') => expected({ mode, from: start, to: end }).length;
        return { day: new Date(start).toISOString().slice(0, 10), live: count('live'), test: count('test') };
      });
      expect(counts).toEqual(brute);
    });

    it('lists feedback newest first and counts it by reason', async () => {
      const since = MIDDLE;
      const of = { mode: 'live', since } as const;
      const marked = stored.filter(
        (sample) =>
          sample.accountId === accountId &&
          matches(sample, { mode: 'live', from: since, feedback: 'any' }, feedback),
      );
      const entries = [];
      let after = null;
      do {
        const page = await store().reportedMistakes(accountId, of, after, 9);
        entries.push(...page.entries);
        after = page.next;
      } while (after !== null);
      const mistakes = marked.filter(
        ({ requestId }) => feedback.get(requestId)?.outcome !== 'confirmed_fraud',
      );
      expect(mistakes.length).toBeLessThan(marked.length);
      expect(entries.map(({ row }) => row.requestId).sort()).toEqual(
        mistakes.map(({ requestId }) => requestId).sort(),
      );
      expect(entries.map(({ mark }) => mark.at)).toEqual(
        entries.map(({ mark }) => mark.at).sort((a, b) => b - a),
      );
      const span = { mode: 'live', from: MIDDLE, to: NOW + SLOT_MS } as const;
      const counts = await store().labelCounts(accountId, span);
      const marks = (label: Feedback['outcome']) =>
        marked.filter(({ requestId }) => feedback.get(requestId)?.outcome === label).length;
      expect(counts.totals).toEqual({
        false_positive: marks('false_positive'),
        false_negative: marks('false_negative'),
        confirmed_fraud: marks('confirmed_fraud'),
      });
      expect(counts.reasons).toHaveLength(REASONS.length);
      expect(counts.findings.length).toBeGreaterThanOrEqual(REASONS.length);
      for (const { detector: finding, stopped, labels } of counts.findings) {
        const having = { ...span, finding, verdicts: ['challenge', 'block'] } as const;
        expect(stopped).toBe(expected(having).length);
        expect(labels).toEqual({
          false_positive: expected({ ...having, feedback: 'false_positive' }).length,
          false_negative: expected({ ...having, feedback: 'false_negative' }).length,
          confirmed_fraud: expected({ ...having, feedback: 'confirmed_fraud' }).length,
        });
      }
      for (const { code, stopped, labels } of counts.reasons) {
        const having = { ...span, reason: code, verdicts: ['challenge', 'block'] } as const;
        expect(stopped).toBe(expected(having).length);
        expect(labels).toEqual({
          false_positive: expected({ ...having, feedback: 'false_positive' }).length,
          false_negative: expected({ ...having, feedback: 'false_negative' }).length,
          confirmed_fraud: expected({ ...having, feedback: 'confirmed_fraud' }).length,
        });
      }
    });
  });
}

function account(id: string): Account {
  return anAccount({ id, name: 'log', createdAt: NOW });
}

const key = (id: string, accountId: string) => aKey({ id, accountId, createdAt: NOW });

/** Counts by answer: what a key in shadow mode would have stopped is counted apart. */
function answersOf(samples: readonly SampleAssessment[]) {
  const count = (verdict: string, observed: boolean) =>
    samples.filter((sample) => sample.verdict === verdict && sample.shadow === observed).length;
  return {
    allow: count('allow', false) + count('allow', true),
    challenge: count('challenge', false),
    block: count('block', false),
    observed: { challenge: count('challenge', true), block: count('block', true) },
  };
}
