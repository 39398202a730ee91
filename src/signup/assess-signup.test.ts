import { expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { createFakeStore } from '../../test/support/fake-store.ts';
import { createAddressHashes } from '../address/fingerprint.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { Gather } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { asStoreFailure } from '../store/store-failure.ts';
import type { Counters, CountResult } from '../velocity/counters.ts';
import { createMemoryCounters } from '../velocity/memory/memory.ts';
import { createSteadyCounters } from '../velocity/steady-counters.ts';
import { type AssessSignupOptions, createAssessSignup } from './assess-signup.ts';
import { IP_FLAG } from './facts.ts';
import { createIdempotency } from './idempotency.ts';
import type { SignupRequest } from './prepare-signup.ts';
import { createQuota } from './quota.ts';
import { createRateLimiter, LimitReached } from './rate-limit.ts';
import type { SignupCaller } from './signup-caller.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY_MS = 86_400_000;
/** Requests that a caller with one request a second may send at once. */
const BURST = 15;
const LIMITS = { requestsPerSecond: 1, monthlyAssessments: 100, cap: 100, overagePer1k: 0 };
const CALLER: SignupCaller = {
  account: { id: 'acc_a' },
  key: { id: 'key_a', mode: 'live', enforcedShare: 100 },
  limits: LIMITS,
  thresholds: DEFAULT_THRESHOLDS,
  policy: null,
};
const SANDBOX: SignupCaller = { ...CALLER, key: { id: 'key_t', mode: 'test', enforcedShare: 100 } };
const SHADOW: SignupCaller = { ...CALLER, key: { id: 'key_s', mode: 'live', enforcedShare: 0 } };
const FAULT = new Error('a fault');
const fail = () => {
  throw FAULT;
};

const withCap = (cap: number): SignupCaller => ({
  ...CALLER,
  limits: { ...LIMITS, monthlyAssessments: cap, cap },
});

/** An ordinary signup with its counts; one of `bad.example` is listed as disposable. */
const gatherCounts: Gather = ({ domain }, { counts }) =>
  ordinaryEvidence({
    email: { domain, disposable: domain === 'bad.example' },
    velocity: {
      ip1h: counts.network1h,
      domain1h: counts.domain1h,
      mailbox24h: counts.mailbox24h,
      partial: counts.partial,
    },
  });

const listed = (action: 'allow' | 'deny') =>
  ordinaryEvidence({
    email: { disposable: true },
    list: { id: 'lst_1', action, kind: 'domain', value: 'acme.example', reason: null },
  });

/** The heart of the service between memory counters and a store in memory. `steps`: what happened, in order. */
function createScene(changes: Partial<AssessSignupOptions> & { readonly counters?: Counters } = {}) {
  const steps: string[] = [];
  const store = createFakeStore();
  const memory = changes.counters ?? createSteadyCounters(createMemoryCounters(), () => NOW);
  const counters: Counters = {
    ...memory,
    async admit(...request) {
      steps.push('admitted');
      return memory.admit(...request);
    },
    async checkAndCount(request) {
      steps.push('counted');
      const result = await memory.checkAndCount(request);
      return { ...result, counted: result.counted && notingUndo(result.counted) };
    },
  };
  const notingUndo = (counted: NonNullable<CountResult['counted']>) => ({
    ...counted,
    async markBlocked() {
      steps.push('marked as blocked');
      await counted.markBlocked();
    },
    async undo() {
      steps.push('undone');
      await counted.undo();
    },
  });
  const quota = createQuota(store);
  const { gather = gatherCounts, ...others } = changes;
  const assessSignup = createAssessSignup({
    rateLimiter: createRateLimiter({ counters, quota, onCounted: () => {} }),
    quota,
    idempotency: createIdempotency({
      store,
      fingerprint: (text) => text,
      clock: () => NOW,
      waitMs: 5_000,
      onReplay: () => steps.push('replayed'),
      onFault: fail,
    }),
    hashes: createAddressHashes(SECRETS),
    partialUntil: () => 0,
    noteAddress: () => false,
    offerChallenge: () => undefined,
    async record(record) {
      steps.push('recorded');
      return store.record(record);
    },
    storeEmails: false,
    onListed: () => {},
    onMember: () => {},
    onAssessed: (verdict) => steps.push(`assessed: ${verdict}`),
    ...others,
    gather(...subject) {
      steps.push('gathered');
      return gather(...subject);
    },
  });
  let requests = 0;
  /** Sends an ordinary signup, with changes. */
  const assess = (
    message: Partial<AssessmentRequest> | Problem = {},
    { caller = CALLER, idempotencyKey }: Partial<SignupRequest> = {},
  ) => {
    requests += 1;
    const moment = { requestId: `req_${requests}`, at: NOW, started: performance.now() };
    const whole =
      message instanceof Problem
        ? message
        : { email: `jo${requests}@acme.example`, ip: '203.0.113.7', ...message };
    return assessSignup({ caller, message: whole, idempotencyKey, moment });
  };
  /** The error that the same is refused with. */
  const refusal = (...request: Parameters<typeof assess>): Promise<unknown> =>
    assess(...request).then(
      () => expect.fail('was not refused'),
      (error: unknown) => error,
    );
  return { store, steps, assess, refusal };
}

const SECRETS = [Buffer.from('the key in use')];

const parse = ({ body }: { readonly body: string }) => JSON.parse(body);

it('carries a signup through all steps, in their order', async () => {
  const { store, steps, assess } = createScene();
  const answer = await assess({ email: ' Jo.Doe@ACME.example', session_id: 's1' });
  expect(steps).toEqual(['counted', 'gathered', 'recorded', 'assessed: allow']);
  expect(parse(answer)).toMatchObject({
    request_id: 'req_1',
    verdict: 'allow',
    signals: { email: { domain: 'acme.example' }, velocity: { ip_signups_1h: 1 } },
    session_id: 's1',
  });
  expect(answer).toMatchObject({
    verdict: 'allow',
    shadowVerdict: undefined,
    isReplay: false,
    limits: { limit: 1, remaining: 3, resetAt: NOW / 1000, used: 1, quota: 100 },
  });
  expect(store.records).toMatchObject([
    {
      requestId: 'req_1',
      accountId: 'acc_a',
      keyId: 'key_a',
      emailMasked: 'j***@acme.example',
      email: null,
      network: '203.0.113.7',
      claim: null,
      cap: 100,
    },
  ]);
});

it('blocks, and says why', async () => {
  const { steps, assess } = createScene();
  const answer = await assess({ email: 'jo@bad.example' });
  expect(parse(answer)).toMatchObject({ verdict: 'block', reasons: [{ code: 'email_disposable' }] });
  expect([answer.verdict, steps.at(-1)]).toEqual(['block', 'assessed: block']);
});

it.each<
  [string, Partial<AssessSignupOptions>, Parameters<ReturnType<typeof createScene>['assess']>, boolean]
>([
  ['blocked', {}, [{ email: 'jo@bad.example' }], true],
  ['blocked by an own list', { gather: () => listed('deny') }, [], true],
  ['allowed by an own list', { gather: () => listed('allow') }, [], false],
  ['blocked in shadow mode', {}, [{ email: 'jo@bad.example' }, { caller: SHADOW }], false],
  ['blocked in the sandbox', {}, [{ email: 'block@acme.example' }, { caller: SANDBOX }], false],
  ['blocked and not stored', { record: async () => fail() }, [{ email: 'jo@bad.example' }], false],
  ['allowed', {}, [], false],
])(
  'tells the counters of a signup that is answered with block: one that is %s',
  async (_, changes, request, isMarked) => {
    const { steps, assess } = createScene(changes);
    await assess(...request).catch(() => {});
    expect(steps.includes('marked as blocked')).toBe(isMarked);
  },
);

it('counts what is not valid for the rate limit, and for nothing else', async () => {
  const { store, steps, refusal } = createScene();
  const problem = new Problem('missing_field', 'email');
  expect(await refusal(problem)).toBe(problem);
  expect(await refusal({ email: 'nobody' })).toMatchObject({ code: 'invalid_email', param: 'email' });
  expect(await refusal({ ip: 'nowhere' })).toMatchObject({ code: 'invalid_ip', param: 'ip' });
  expect(await refusal({ email: 'nobody' }, { idempotencyKey: 'a key' })).toMatchObject({
    code: 'missing_field',
    param: 'Idempotency-Key',
  });
  expect(steps).toEqual(Array(4).fill('admitted'));
  for (let sent = 4; sent < BURST; sent += 1) await refusal(problem);
  expect(await refusal(problem)).toMatchObject({ code: 'rate_limit' });
  expect(store.records).toEqual([]);
});

it('throws a fault of ours at once, and counts nothing', async () => {
  const hashes = Object.assign(fail, { hashUnderAllKeys: fail, older: fail, hashStem: fail });
  const { steps, refusal } = createScene({ hashes });
  expect(await refusal()).toBe(FAULT);
  expect(steps).toEqual([]);
});

it('refuses a caller over the rate limit before anything else, and says when to come again', async () => {
  const { store, steps, assess, refusal } = createScene();
  const answers = await Promise.all(Array.from({ length: BURST }, () => assess()));
  expect(answers.at(-1)?.limits).toMatchObject({ remaining: 0 });
  steps.length = 0;
  const refused = await refusal();
  expect(refused).toBeInstanceOf(LimitReached);
  expect(refused).toMatchObject({
    code: 'rate_limit',
    retryAfterSeconds: 5,
    limits: { limit: 1, remaining: 0, resetAt: NOW / 1000 + 5, used: BURST, quota: 100 },
  });
  expect(steps).toEqual(['counted']);
  expect(store.records).toHaveLength(BURST);
});

it('refuses a spent quota before it gathers anything; the rate limit counts it', async () => {
  const { steps, assess, refusal } = createScene();
  const caller = withCap(1);
  await assess({}, { caller });
  steps.length = 0;
  expect(await refusal({}, { caller })).toMatchObject({
    code: 'quota_exceeded',
    retryAfterSeconds: 21 * 86_400 + 49_527,
    limits: { remaining: 3, used: 1, quota: 1 },
  });
  expect(steps).toEqual(['admitted']);
  for (let sent = 2; sent < BURST; sent += 1) await refusal({}, { caller });
  expect(await refusal({}, { caller })).toMatchObject({ code: 'rate_limit' });
});

it('undoes the counts of a signup whose commit finds the quota spent', async () => {
  const { store, steps, assess, refusal } = createScene();
  const caller = withCap(1);
  const both = await Promise.allSettled([assess({}, { caller }), assess({}, { caller })]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(both[1]).toMatchObject({ reason: { code: 'quota_exceeded', limits: { used: 1 } } });
  expect(steps.filter((step) => step === 'undone')).toHaveLength(1);
  expect(store.records).toHaveLength(1);
  // The exact number was learned: the next one is refused without the store.
  steps.length = 0;
  await refusal({}, { caller });
  expect(steps).toEqual(['admitted']);
});

it.each([
  ['takes a credit that a crashed node had reserved, once the store says that it is free', 1, 'recorded'],
  ['refuses where the store says that all credits are used', 0, 'quota_exceeded'],
])('%s', async (_, free, outcome) => {
  const memory = createSteadyCounters(createMemoryCounters(), () => NOW);
  /** The shared counters: they refuse until somebody has read the store. */
  const counters: Counters = {
    ...memory,
    async checkAndCount(request) {
      const { credit } = request;
      if (credit?.exact === true) return { ...(await memory.checkAndCount(request)), credit: 'reserved' };
      const rate = await memory.admit(request.bucket, { windowMs: 5_000, admits: BURST }, NOW);
      return { rate, credit: 'refused', counted: null };
    },
  };
  const { store, steps, assess } = createScene({ counters });
  // Other nodes use the only credit, or none, while this one counts.
  store.creditsUsed = async () => (steps.includes('counted') ? 1 - free : 0);
  const caller = withCap(1);
  const result = await assess({}, { caller }).then(
    () => 'recorded',
    (error: Problem) => error.code,
  );
  expect(result).toBe(outcome);
  expect(steps).not.toContain('undone');
});

it('answers a repeated request with the first one’s answer, for no credit', async () => {
  const { store, steps, assess } = createScene();
  const message = { email: 'jo@bad.example' };
  const first = await assess(message, { idempotencyKey: 'k' });
  expect(steps).toEqual([
    'admitted',
    'counted',
    'gathered',
    'recorded',
    'marked as blocked',
    'assessed: block',
  ]);
  steps.length = 0;
  // The same address, spelled otherwise.
  const second = await assess({ email: 'Jo@BAD.example' }, { idempotencyKey: 'k' });
  expect(second).toEqual({
    body: first.body,
    verdict: '',
    shadowVerdict: undefined,
    isReplay: true,
    limits: { ...first.limits, used: 1 },
  });
  expect(steps).toEqual(['admitted', 'replayed']);
  expect(store.records).toHaveLength(1);
  expect((await assess(message, { idempotencyKey: 'another' })).isReplay).toBe(false);
});

it('answers requests that come together with one key once', async () => {
  const { store, assess } = createScene();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => assess({ email: 'jo@acme.example' }, { idempotencyKey: 'k' })),
  );
  expect(answers.map(({ isReplay }) => isReplay)).toEqual([false, true, true]);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(store.records).toHaveLength(1);
});

it('counts a request with a key once for the rate limit', async () => {
  const { assess, refusal } = createScene();
  for (let sent = 0; sent < BURST; sent += 1) await assess({}, { idempotencyKey: `k${sent}` });
  expect(await refusal({}, { idempotencyKey: 'one more' })).toMatchObject({ code: 'rate_limit' });
});

it('refuses a key that came with another body; the rate limit counts it', async () => {
  const { store, steps, assess, refusal } = createScene();
  await assess({ email: 'jo@acme.example' }, { idempotencyKey: 'k' });
  steps.length = 0;
  expect(await refusal({ email: 'jay@acme.example' }, { idempotencyKey: 'k' })).toMatchObject({
    code: 'missing_field',
    param: 'Idempotency-Key',
  });
  expect(steps).toEqual(['admitted']);
  expect(store.records).toHaveLength(1);
});

it.each([
  ['the store fails', FAULT],
  ['the store is overloaded', asStoreFailure(new Problem('unavailable'))],
  ['the disk is full', asStoreFailure(new Problem('storage_full'))],
  ['the commit is late', asStoreFailure(new Error('the database did not answer in time'))],
])('undoes the counts once and frees the key where %s', async (_, failure) => {
  const { store, steps, assess, refusal } = createScene();
  store.failure = failure;
  expect(await refusal({ email: 'jo@acme.example' }, { idempotencyKey: 'k' })).toBe(failure);
  expect(steps).toEqual(['admitted', 'counted', 'gathered', 'recorded', 'undone']);
  store.failure = undefined;
  // A signup that was not stored did not happen: the next one is the first of its address, its key and its month.
  const answer = await assess({ email: 'jo@acme.example' }, { idempotencyKey: 'k' });
  expect(parse(answer).signals.velocity).toMatchObject({ ip_signups_1h: 1, email_domain_1h: 1 });
  expect([answer.isReplay, answer.limits.used]).toEqual([false, 1]);
});

it.each<[string, Partial<AssessSignupOptions>]>([
  ['gathering throws', { gather: fail }],
  ['gathering rejects', { gather: async () => fail() }],
  ['the evidence cannot be judged', { gather: () => ({}) as never }],
  ['the offer of a challenge throws', { gather: challenged, offerChallenge: fail }],
  ['the store throws at once', { record: fail }],
])('undoes the counts once where %s', async (_, changes) => {
  const { steps, refusal } = createScene(changes);
  expect(await refusal()).toBeInstanceOf(Error);
  expect(steps.filter((step) => step === 'undone')).toEqual(['undone']);
});

it('lets the next request have its turn where the first of a key fails, and gives only that its error', async () => {
  const { store, assess, refusal } = createScene();
  store.failure = FAULT;
  const message = { email: 'jo@acme.example' };
  const first = refusal(message, { idempotencyKey: 'k' });
  const others = [1, 2].map(() => assess(message, { idempotencyKey: 'k' }));
  expect(await first).toBe(FAULT);
  store.failure = undefined;
  expect((await Promise.all(others)).map(({ isReplay }) => isReplay)).toEqual([false, true]);
  expect(store.records).toHaveLength(1);
});

it('keeps the counts of a signup that is stored, whatever fails then', async () => {
  const list = { id: 'lst_1', action: 'allow', kind: 'domain', value: 'acme.example', reason: null } as const;
  const { store, steps, refusal } = createScene({ gather: () => ordinaryEvidence({ list }), onListed: fail });
  expect(await refusal()).toBe(FAULT);
  expect(steps).not.toContain('undone');
  expect(store.records).toHaveLength(1);
});

it('tells which entry decided, or which shared office a signup came from', async () => {
  const office = { id: 'lst_2', kind: 'ip', value: '203.0.113.7', reason: null } as const;
  const listedOf = async (evidence: Evidence) => {
    const listed: string[] = [];
    const scene = createScene({ gather: () => evidence, onListed: ({ id }) => void listed.push(id) });
    await scene.assess();
    return listed;
  };
  expect(await listedOf(listed('deny'))).toEqual(['lst_1']);
  expect(await listedOf(ordinaryEvidence({ office }))).toEqual(['lst_2']);
  expect(await listedOf({ ...listed('allow'), office })).toEqual(['lst_1']);
  expect(await listedOf(ordinaryEvidence({}))).toEqual([]);
});

it('stores a signup whose caller does not wait any more, and gives its answer to a repeated request', async () => {
  let finish = () => {};
  const gathering = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { store, assess } = createScene({
    async gather(...subject) {
      await gathering;
      return gatherCounts(...subject);
    },
  });
  const message = { email: 'jo@acme.example' };
  const abandoned = assess(message, { idempotencyKey: 'delivery' });
  const repeated = assess(message, { idempotencyKey: 'delivery' });
  finish();
  expect((await repeated).isReplay).toBe(true);
  expect((await repeated).body).toBe((await abandoned).body);
  expect(store.records).toHaveLength(1);
});

it('stops nobody in shadow mode, and says what the verdict would be', async () => {
  const { store, steps, assess } = createScene();
  const message = { email: 'jo@bad.example' };
  const answer = await assess(message, { caller: SHADOW, idempotencyKey: 'k' });
  expect(parse(answer)).toMatchObject({ verdict: 'allow', score: 0, reasons: [], shadow_verdict: 'block' });
  expect(answer).toMatchObject({ verdict: 'allow', shadowVerdict: 'block' });
  expect(store.records).toMatchObject([{ shadow: true, verdict: 'block' }]);
  expect(steps.at(-1)).toBe('assessed: block');
  // The key has left shadow mode since: the stored answer stays what it is.
  const { key } = CALLER;
  const repeated = await assess(message, { caller: { ...CALLER, key }, idempotencyKey: 'k' });
  expect(repeated).toMatchObject({ isReplay: true, shadowVerdict: 'block', body: answer.body });
});

it('enforces for the share of a key alone: always the same people, however they spell the address', async () => {
  const { store, assess } = createScene();
  const limits = { ...LIMITS, requestsPerSecond: 1_000, cap: 1_000 };
  const ofShare = (enforcedShare: number): SignupCaller => ({
    ...SHADOW,
    limits,
    key: { ...SHADOW.key, enforcedShare },
  });
  const people = Array.from({ length: 40 }, (_, at) => `jo${at}`);
  const stoppedBy = async (enforcedShare: number, spell: (name: string) => string) => {
    const caller = ofShare(enforcedShare);
    const stopped: string[] = [];
    for (const name of people) {
      const answer = await assess({ email: spell(name) }, { caller });
      const isStopped = answer.verdict === 'block';
      expect(answer).toMatchObject({ shadowVerdict: isStopped ? undefined : 'block' });
      expect(store.records.at(-1)).toMatchObject({ shadow: !isStopped, verdict: 'block' });
      if (isStopped) stopped.push(name);
    }
    return stopped;
  };
  const few = await stoppedBy(30, (name) => `${name}@bad.example`);
  expect(few.length).toBeGreaterThan(2);
  expect(few.length).toBeLessThan(28);
  expect(await stoppedBy(30, (name) => `${name.toUpperCase()}+news@bad.example`)).toEqual(few);
  const more = await stoppedBy(70, (name) => `${name}@bad.example`);
  expect(more.length).toBeGreaterThan(few.length);
  expect(few.filter((name) => !more.includes(name))).toEqual([]);
  expect(await stoppedBy(100, (name) => `${name}@bad.example`)).toEqual(people);
  expect(await stoppedBy(0, (name) => `${name}@bad.example`)).toEqual([]);
});

it('repeats the first answer after the share of a key has changed', async () => {
  const { store, assess } = createScene();
  const message = { email: 'jo@bad.example' };
  const observed = await assess(message, { caller: SHADOW, idempotencyKey: 'k' });
  const repeated = await assess(message, {
    caller: { ...SHADOW, key: { ...SHADOW.key, enforcedShare: 99 } },
    idempotencyKey: 'k',
  });
  expect(repeated).toMatchObject({ isReplay: true, shadowVerdict: 'block', body: observed.body });
  expect(store.records).toHaveLength(1);
});

it('offers a challenge to redeem, but none in shadow mode', async () => {
  const offered: unknown[] = [];
  const { assess } = createScene({
    gather: challenged,
    offerChallenge(subject, at) {
      offered.push({ ...subject, at });
      return { token: 'gct.1', expires_at: '2026-05-10T10:44:33.000Z' };
    },
  });
  expect(parse(await assess()).challenge).toMatchObject({ token: 'gct.1' });
  expect(parse(await assess({}, { caller: SHADOW })).challenge).toBeUndefined();
  expect(offered).toEqual([{ requestId: 'req_1', accountId: 'acc_a', mode: 'live', at: NOW }]);
});

it('answers a sandbox key by the address alone: nothing is looked up, counted or charged', async () => {
  const { store, steps, assess, refusal } = createScene();
  const caller = { ...SANDBOX, limits: { ...LIMITS, monthlyAssessments: 0, cap: 0 } };
  const answer = await assess({ email: 'block@acme.example' }, { caller });
  expect(parse(answer)).toMatchObject({ verdict: 'block', score: 92 });
  expect(steps).toEqual(['admitted', 'recorded']);
  expect(answer.limits).toEqual({ limit: 1, remaining: 3, resetAt: NOW / 1000, used: 0, quota: 0 });
  expect(store.records).toMatchObject([{ mode: 'test' }]);
  // Its rate limit is its own.
  for (let sent = 1; sent < BURST; sent += 1) await assess({}, { caller });
  expect(await refusal({}, { caller })).toMatchObject({ code: 'rate_limit' });
  expect((await assess()).limits.used).toBe(1);
});

it('repeats the answer of a sandbox key, admitted once a request', async () => {
  const { steps, assess } = createScene();
  const message = { email: 'challenge@acme.example' };
  const first = await assess(message, { caller: SANDBOX, idempotencyKey: 'k' });
  const second = await assess(message, { caller: SANDBOX, idempotencyKey: 'k' });
  expect([second.isReplay, second.body]).toEqual([true, first.body]);
  expect(steps).toEqual(['admitted', 'recorded', 'admitted', 'replayed']);
});

it('marks counts as too low, and counts older hashes, for a day after the key of hashes was replaced', async () => {
  const subjects: unknown[] = [];
  const secrets = [...SECRETS, Buffer.from('the key before')];
  const { assess } = createScene({
    hashes: createAddressHashes(secrets),
    partialUntil: () => NOW + until,
    gather(subject, velocity) {
      subjects.push([subject.olderMailboxes?.length, velocity.counts.partial]);
      return gatherCounts(subject, velocity);
    },
  });
  let until = DAY_MS;
  await assess();
  until = 0;
  await assess();
  expect(subjects).toEqual([
    [1, true],
    [undefined, false],
  ]);
});

it('takes the address of a signup as shared where its key says so, unless somebody brings the person', async () => {
  const noted: unknown[] = [];
  const { store, assess } = createScene({
    gather: () => ordinaryEvidence({ ip: { datacenter: true } }),
    noteAddress({ keyId, network }, owner) {
      noted.push([keyId, network, owner]);
      return true;
    },
  });
  await assess();
  await assess({ brought_by: 'admin' });
  await assess({ email: 'block@acme.example' }, { caller: SANDBOX });
  const facts = store.records.map((record) => (JSON.parse(record.facts)[6] & IP_FLAG.sharedByKey) !== 0);
  expect(facts).toEqual([true, false, false]);
  expect(noted).toEqual([['key_a', '203.0.113.7', 'server']]);
});

it('keeps the whole address only where the operator says so', async () => {
  const { store, assess } = createScene({ storeEmails: true });
  await assess({ email: 'Jo@ACME.example' });
  expect(store.records).toMatchObject([{ email: 'jo@acme.example', emailMasked: 'j***@acme.example' }]);
});

/** Evidence that is challenged. */
function challenged() {
  return ordinaryEvidence({ ip: { proxy: true, vpn: true }, email: { alias: true } });
}
