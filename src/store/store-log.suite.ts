/** What every store must find again of assessments, compared with a recount of all of them; part of the suite that each adapter runs. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { type LoggedAssessment, type LogSearch, SLOT_MS } from './log-store.ts';
import type { Account, Feedback, Key, NewAssessment, Store } from './store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);
const ROWS = 1_200;
const REASONS: ReasonCode[] = ['email_alias', 'ip_hosting', 'ip_anonymizer', 'email_disposable'];
const IPS = [
  '203.0.113.7',
  '203.0.113.200',
  '203.0.114.1',
  '2001:db8::1',
  '2001:db8:0:1::ff',
  '::1:2:3',
  null,
];
const SESSIONS = ['plain', 'hard \u0000 " \ud800', null];

interface Given extends NewAssessment {
  readonly processedMs: number;
  readonly findings: readonly { detector: string; code: ReasonCode; weight: number; detail: string }[];
}

export function describeLog(store: () => Store, makeId: MakeId): void {
  describe('the log', () => {
    const random = createRandom(20_260_510);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const [accountId, otherId] = [makeId('acc', NOW), makeId('acc', NOW)];
    const keyIds = [makeId('key', NOW), makeId('key', NOW)];
    const given: Given[] = [];
    const feedback = new Map<string, Feedback>();

    const makeOne = (over: Partial<NewAssessment> = {}): Given => {
      const at = NOW - Math.floor(random() * 3 * DAY_MS);
      const requestId = makeId('req', at);
      const findings = REASONS.filter(() => random() < 0.3).flatMap((code, index) => {
        const finding = { detector: code, code, weight: 5 + index * 10, detail: 'said "],"evidence": so' };
        return random() < 0.2 ? [finding, { ...finding, weight: 30.5 }] : [finding];
      });
      const processedMs = Math.floor(random() ** 4 * 900);
      const ip = pick(IPS);
      return {
        requestId,
        accountId: random() < 0.1 ? otherId : accountId,
        keyId: pick(keyIds),
        mode: random() < 0.2 ? 'test' : 'live',
        at,
        verdict: pick(['allow', 'challenge', 'block']),
        score: Math.floor(random() * 101),
        reasons: [...new Set(findings.map(({ code }) => code))],
        emailDomain: pick(['example.com', 'mail.example', 'xn--bcher-kva.example']),
        addressHash: 'address',
        mailboxHash: `mailbox-${Math.floor(random() * 50)}`,
        emailMasked: 'j***@example.com',
        email: random() < 0.5 ? 'jo@example.com' : null,
        ip,
        network: ip?.startsWith('2001') === true ? '2001:db8::/64' : ip,
        countryCode: ip === null ? '' : pick(['FR', 'DE']),
        asn: ip === null ? 0 : pick([64_500, 64_501]),
        sessionId: pick(SESSIONS),
        body: `{"request_id":"${requestId}","processed_ms":${processedMs},"assessed_at":"x"}`,
        evidence: JSON.stringify({ policy: 'p', findings, evidence: { snapshot: requestId } }),
        cap: null,
        processedMs,
        findings,
        ...over,
      };
    };
    const record = async (one: Given) => {
      await store().record(one);
      given.push(one);
    };

    beforeAll(async () => {
      for (const id of [accountId, otherId]) await store().saveAccount(account(id));
      for (const id of keyIds) await store().saveKey(key(id, accountId));
      await Promise.all(Array.from({ length: ROWS }, () => record(makeOne())));
      for (const { requestId } of given.filter(() => random() < 0.15)) {
        const mark = {
          requestId,
          outcome: pick(['false_positive', 'false_negative'] as const),
          note: pick(SESSIONS),
          keyId: pick([keyIds[0] as string, 'jo@example.com']),
          at: NOW + Math.floor(random() * 50),
        };
        feedback.set(requestId, mark);
        await store().saveFeedback(mark);
      }
    });

    /** Newest first; of the same millisecond, in any order. */
    const expected = (search: LogSearch, of = accountId) =>
      given
        .filter((one) => one.accountId === of && holds(one, search, feedback))
        .map((one) => one.requestId)
        .sort();
    async function pages(search: LogSearch, limit: number, between = async () => {}) {
      const rows: LoggedAssessment[] = [];
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

    const MIDDLE = NOW - DAY_MS;
    const searches: LogSearch[] = [
      {},
      { mode: 'live' },
      { mode: 'test' },
      { verdicts: ['block'] },
      { verdicts: ['challenge', 'block'], mode: 'live' },
      ...REASONS.map((reason) => ({ reason })),
      { reason: 'velocity_domain' },
      { scoreMin: 90 },
      { scoreMax: 10 },
      { scoreMin: 50, scoreMax: 50 },
      { domain: 'mail.example' },
      { domain: 'nowhere.example' },
      { ip: { first: '203.0.113.7', last: '203.0.113.7' } },
      { ip: { first: '203.0.113.128', last: '203.0.113.255' } },
      { ip: { first: '203.0.112.0', last: '203.0.115.255' } },
      { ip: { first: '2001:db8::', last: '2001:db8::ffff:ffff:ffff:ffff' } },
      { ip: { first: '::', last: '::1:2:3' } },
      { ip: { first: '2001:db8::1', last: '2001:db8::1' } },
      { asn: 64_501 },
      { country: 'FR' },
      { keyId: keyIds[1] as string },
      { from: MIDDLE },
      { to: MIDDLE },
      { from: MIDDLE, to: MIDDLE + 3_600_000 },
      { feedback: 'any' },
      { feedback: 'none' },
      { feedback: 'false_positive', verdicts: ['block'] },
      { sessionId: 'hard \u0000 " \ud800' },
      { reason: 'ip_anonymizer', country: 'DE', mode: 'live', scoreMin: 20, from: MIDDLE },
    ];

    it.each(searches)('finds %j, as a recount does', async (search) => {
      const rows = await pages(search, 97);
      expect(rows.map(({ requestId }) => requestId).sort()).toEqual(expected(search));
    });

    it('finds one by its id, in its own account only', async () => {
      const one = given.find((each) => each.accountId === otherId) as Given;
      const { requestId } = one;
      expect((await store().findAssessments(otherId, { requestId }, null, 5)).rows).toHaveLength(1);
      expect((await store().findAssessments(accountId, { requestId }, null, 5)).rows).toEqual([]);
      expect(await store().findAssessment(accountId, requestId)).toBeUndefined();
      expect(await store().neighbours(accountId, requestId)).toBeUndefined();
      expect(await store().findAssessment(accountId, 'req_\ud800')).toBeUndefined();
    });

    it('shows each as it was recorded, with its feedback', async () => {
      for (const one of given.filter((each) => each.accountId === accountId).slice(0, 50)) {
        const mark = feedback.get(one.requestId);
        const found = await store().findAssessment(accountId, one.requestId);
        expect(found?.body).toBe(one.body);
        expect(found?.evidence).toBe(one.evidence);
        const by = mark?.keyId === keyIds[0] ? 'signup form' : mark?.keyId;
        expect(found?.feedback).toEqual(
          mark === undefined ? null : { outcome: mark.outcome, note: mark.note, at: mark.at, by },
        );
        const { requestId, at, mode, verdict, score, reasons, emailDomain, ip, countryCode, asn } = one;
        expect(found?.row).toEqual({
          ...{ requestId, at, mode, verdict, score, reasons, emailDomain, ip, countryCode, asn },
          email: one.email ?? one.emailMasked,
          keyId: one.keyId,
          keyName: 'signup form',
          sessionId: one.sessionId,
          feedback: mark?.outcome ?? null,
        });
      }
    });

    it('leaves nothing out and repeats nothing while new ones come in', async () => {
      const before = expected({});
      const rows = await pages({}, 150, () => record(makeOne({ accountId, at: NOW + 1_000 })));
      expect(rows.map(({ requestId }) => requestId).sort()).toEqual(before);
    });

    it('exports all, and reads evidence up to a limit', async () => {
      const exported: LoggedAssessment[] = [];
      for await (const rows of store().exportAssessments(accountId, { mode: 'live' })) exported.push(...rows);
      const live = expected({ mode: 'live' });
      expect(exported.map(({ requestId }) => requestId).sort()).toEqual(live);
      const judged: string[] = [];
      for await (const chunk of store().judgedEvidence(accountId, { mode: 'live', since: 0 }, 400)) {
        for (const { row, evidence } of chunk) {
          expect(JSON.parse(evidence)).toMatchObject({ evidence: { snapshot: row.requestId } });
          judged.push(row.requestId);
        }
      }
      expect(judged).toEqual(exported.slice(0, 400).map(({ requestId }) => requestId));
      const [keyId] = keyIds as [string];
      const search = { mode: 'test', since: MIDDLE, keyId } as const;
      const ofKey: string[] = [];
      for await (const chunk of store().judgedEvidence(accountId, search, 5_000)) {
        ofKey.push(...chunk.map(({ row }) => row.requestId));
      }
      expect(ofKey.sort()).toEqual(expected({ mode: 'test', from: MIDDLE, keyId }));
    });

    it('knows the neighbours of each', async () => {
      const same = {
        ip: (a: Given, b: Given) => a.network !== null && a.network === b.network,
        mailbox: (a: Given, b: Given) => a.mailboxHash === b.mailboxHash,
        domain: (a: Given, b: Given) => a.emailDomain === b.emailDomain,
        session: (a: Given, b: Given) => a.sessionId !== null && a.sessionId === b.sessionId,
      };
      for (const one of given.filter((each) => each.accountId === accountId).slice(0, 40)) {
        const groups = (await store().neighbours(accountId, one.requestId)) ?? [];
        for (const [relation, shares] of Object.entries(same)) {
          const all = given.filter(
            (other) =>
              other !== one && other.accountId === accountId && other.mode === one.mode && shares(one, other),
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
      const rows = given.filter(
        (one) => one.accountId === accountId && holds(one, { mode: 'live', from, to }, feedback),
      );
      const counts = new Map<number, Record<string, number>>();
      for (const { at, verdict } of rows) {
        const slot = Math.floor(at / SLOT_MS) * SLOT_MS;
        const count = counts.get(slot) ?? { allow: 0, challenge: 0, block: 0 };
        count[verdict] = (count[verdict] ?? 0) + 1;
        counts.set(slot, count);
      }
      const slots = [...counts].sort(([a], [b]) => a - b).map(([at, count]) => ({ at, ...count }));
      expect(traffic.slots).toEqual(slots);
      for (const { code, count, meanWeight } of traffic.reasons) {
        const having = rows.filter(({ reasons }) => reasons.includes(code));
        const weights = having.map(({ findings }) => together(findings.filter((one) => one.code === code)));
        expect(count).toBe(having.length);
        expect(meanWeight).toBeCloseTo(weights.reduce((sum, weight) => sum + weight, 0) / having.length, 6);
      }
      expect(traffic.reasons.map(({ count }) => count)).toEqual(
        traffic.reasons.map(({ count }) => count).sort((a, b) => b - a),
      );
      const times = rows.map(({ processedMs }) => processedMs).sort((a, b) => a - b);
      const p50 = times[Math.ceil(times.length * 0.5) - 1] as number;
      const p95 = times[Math.ceil(times.length * 0.95) - 1] as number;
      expect(Math.abs((traffic.latency.p50 ?? -1) - p50)).toBeLessThanOrEqual(p50 < 64 ? 0 : p50 * 0.07);
      expect(Math.abs((traffic.latency.p95 ?? -1) - p95)).toBeLessThanOrEqual(p95 * 0.07);
      const none = await store().traffic(accountId, { mode: 'live', from: 0, to: SLOT_MS });
      expect(none).toEqual({ slots: [], reasons: [], latency: { p50: null, p95: null } });
    });

    it('counts days, those of today at once', async () => {
      const from = Math.floor((NOW - DAY_MS) / DAY_MS) * DAY_MS;
      await record(makeOne({ accountId, at: NOW + 2_000, mode: 'test' }));
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
      const marked = given.filter(
        (one) =>
          one.accountId === accountId && holds(one, { mode: 'live', from: since, feedback: 'any' }, feedback),
      );
      const entries = [];
      let after = null;
      do {
        const page = await store().feedbackGiven(accountId, of, after, 9);
        entries.push(...page.entries);
        after = page.next;
      } while (after !== null);
      expect(entries.map(({ row }) => row.requestId).sort()).toEqual(
        marked.map(({ requestId }) => requestId).sort(),
      );
      expect(entries.map(({ mark }) => mark.at)).toEqual(
        entries.map(({ mark }) => mark.at).sort((a, b) => b - a),
      );
      const span = { mode: 'live', from: MIDDLE, to: NOW + SLOT_MS } as const;
      const counts = await store().labelCounts(accountId, span);
      const outcomes = marked.map(({ requestId }) => feedback.get(requestId)?.outcome);
      expect(counts.totals.false_positive).toBe(outcomes.filter((one) => one === 'false_positive').length);
      expect(counts.totals.false_negative).toBe(outcomes.filter((one) => one === 'false_negative').length);
      expect(counts.reasons).toHaveLength(REASONS.length);
      for (const { code, given: stopped, labels } of counts.reasons) {
        const having = { ...span, reason: code, verdicts: ['challenge', 'block'] } as const;
        expect(stopped).toBe(expected(having).length);
        expect(labels).toEqual({
          false_positive: expected({ ...having, feedback: 'false_positive' }).length,
          false_negative: expected({ ...having, feedback: 'false_negative' }).length,
        });
      }
    });
  });
}

/** What a search asks, once more and plainly. */
function holds(one: Given, search: LogSearch, feedback: ReadonlyMap<string, Feedback>): boolean {
  const label = feedback.get(one.requestId)?.outcome ?? 'none';
  const asked: [unknown, boolean][] = [
    [search.mode, one.mode === search.mode],
    [search.verdicts, search.verdicts?.includes(one.verdict) === true],
    [search.reason, one.reasons.includes(search.reason as ReasonCode)],
    [search.scoreMin, one.score >= (search.scoreMin ?? 0)],
    [search.scoreMax, one.score <= (search.scoreMax ?? 0)],
    [search.domain, one.emailDomain === search.domain],
    [search.ip, one.ip !== null && search.ip !== undefined && between(one.ip, search.ip)],
    [search.asn, one.asn === search.asn],
    [search.country, one.countryCode === search.country],
    [search.keyId, one.keyId === search.keyId],
    [search.from, one.at >= (search.from ?? 0)],
    [search.to, one.at < (search.to ?? 0)],
    [search.feedback, search.feedback === 'any' ? label !== 'none' : label === search.feedback],
    [search.sessionId, one.sessionId === search.sessionId],
  ];
  return asked.every(([value, yes]) => value === undefined || yes);
}

function between(ip: string, { first, last }: { first: string; last: string }): boolean {
  if (ip.includes(':') !== first.includes(':')) return false;
  return numberOf(ip) >= numberOf(first) && numberOf(ip) <= numberOf(last);
}

function numberOf(ip: string): bigint {
  if (!ip.includes(':')) return BigInt(ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0));
  const [head = [], tail = []] = ip
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function together(findings: readonly { weight: number }[]): number {
  return 100 * (1 - findings.reduce((rest, { weight }) => rest * (1 - weight / 100), 1));
}

function account(id: string): Account {
  const plain = { plan: 'pro', overage: false, monthlyQuota: null, requestsPerSecond: null } as const;
  return { id, name: 'log', ...plain, thresholds: null, createdAt: NOW };
}

function key(id: string, accountId: string): Key {
  const unused = { thresholds: null, createdAt: NOW, lastUsedAt: null, revokedAt: null };
  return { id, accountId, name: 'signup form', mode: 'live', hash: id, prefix: 'sk_live_abcd', ...unused };
}

/** The same numbers at each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
