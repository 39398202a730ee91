import { expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import type { Gather } from '../evidence/gather.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { type AssessmentCaller, createAssess, type Recorder } from './assess.ts';
import { velocityAlone } from './past-signup.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { readSignupAttempt } from './read-signup-attempt.ts';

const FAULT = new Error('a fault');
const fail = () => {
  throw FAULT;
};
const gathered: Gather = () => ordinaryEvidence();
const recorded: Recorder = async () => ({ outcome: 'recorded', used: 1 });
const CALLER: AssessmentCaller = {
  accountId: 'acc_1',
  keyId: 'key_1',
  mode: 'live',
  shadow: false,
  thresholds: DEFAULT_THRESHOLDS,
  policy: DEFAULT_POLICY,
  cap: null,
};

/** What a live signup comes to, and how often its counts were undone. */
async function assessed(gather: Gather, record: Recorder) {
  let undone = 0;
  const assess = createAssess({
    gather,
    record,
    fingerprint: (text) => text,
    storeEmails: false,
    offerChallenge: () => undefined,
    onListed: () => {},
  });
  const moment = { requestId: 'req_1', at: 0, started: performance.now() };
  const prepared = assess.prepare(CALLER, readSignupAttempt({ email: 'jo@acme.example' }), moment);
  const undo = async () => {
    undone += 1;
  };
  const counted = { ...velocityAlone(prepared.subject), undo };
  const result = await Promise.resolve(assess.assess(prepared, counted)).catch((error: unknown) => error);
  return { result, undone };
}

it('leaves a stored signup counted', async () => {
  const { result, undone } = await assessed(gathered, recorded);
  expect(result).toMatchObject({ verdict: 'allow', used: 1 });
  expect(undone).toBe(0);
});

it('undoes the counts once where the cap was reached', async () => {
  const { result, undone } = await assessed(gathered, async () => ({ outcome: 'quota_exceeded', used: 5 }));
  expect(result).toEqual({ body: null, used: 5 });
  expect(undone).toBe(1);
});

it.each<[string, Gather, Recorder]>([
  ['gathering throws', fail, recorded],
  ['gathering rejects', async () => fail(), recorded],
  ['nothing can be judged at once', () => ({}) as never, recorded],
  ['nothing can be judged later', async () => ({}) as never, recorded],
  ['the store throws', gathered, fail],
  ['the store throws later', async () => ordinaryEvidence(), fail],
  ['the store rejects', gathered, async () => fail()],
  ['the store rejects later', async () => ordinaryEvidence(), async () => fail()],
])('fails, and undoes the counts once, where %s', async (_, gather, record) => {
  const { result, undone } = await assessed(gather, record);
  expect(result).toBeInstanceOf(Error);
  expect(undone).toBe(1);
});

it('takes the address of a signup as shared where its key says so, unless somebody brings the person', async () => {
  const noted: [string, string, boolean][] = [];
  const factsOf = async (broughtBy?: 'admin') => {
    let facts = '';
    const assess = createAssess({
      gather: () => ordinaryEvidence({ ip: { datacenter: true } }),
      async record(record) {
        facts = JSON.stringify(record.facts);
        return { outcome: 'recorded', used: 1 };
      },
      noteAddress({ keyId, network }, isServer) {
        noted.push([keyId, network, isServer]);
        return true;
      },
      fingerprint: (text) => text,
      storeEmails: false,
      offerChallenge: () => undefined,
      onListed: () => {},
    });
    const attempt = readSignupAttempt({
      email: 'jo@acme.example',
      ip: '203.0.113.7',
      ...(broughtBy && { brought_by: broughtBy }),
    });
    const moment = { requestId: 'req_1', at: 0, started: performance.now() };
    const prepared = assess.prepare(CALLER, attempt, moment);
    await assess.assess(prepared, { ...velocityAlone(prepared.subject), undo: async () => {} });
    return facts;
  };
  expect(await factsOf()).toContain('ip.sharedByKey');
  expect(await factsOf('admin')).not.toContain('ip.sharedByKey');
  expect(noted).toEqual([['key_1', '203.0.113.7', true]]);
});
