/** Data that a restart must not lose: records, credits, velocity, feedback, accounts and keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient } from './support/client.ts';
import { meterOf, problemOf } from './support/expectations.ts';
import { type Planted, plant, plantKey } from './support/plant.ts';
import { colleague, type Scene, startScene } from './support/scene.ts';
import type { ServiceProcess } from './support/service.ts';
import { withStored } from './support/stored.ts';

const IP = '79.192.0.1';
const LIVE = 8;

describe.each(['stop', 'kill'] as const)('after a %s and a new start', (end) => {
  let scene: Scene;
  let client: Client;
  let strict: Planted;
  let capped: Planted;
  let revoked: string;
  let answers: Answer<{ request_id: string }>[];
  beforeAll(async () => {
    scene = await startScene({
      process: end === 'kill',
      async prepare(installation) {
        strict = await plant(installation, { plan: 'pro', thresholds: { challenge: 1, block: 2 } });
        capped = await plant(installation, { plan: 'starter', monthlyQuota: 1 });
        revoked = await plantKey(installation, strict.id, 'live', { revokedAt: Date.now() });
      },
    });
    answers = [];
    for (let count = 0; count < LIVE - 2; count += 1) {
      answers.push(
        await scene.live.assess({ email: colleague(`jo${count}`), ip: IP, session_id: `\ud800${count}` }),
      );
    }
    answers.push(await scene.live.assess({ email: 'jo.harbour@gmail.com' }));
    answers.push(await scene.live.assess({ email: 'j.oharbour+x@gmail.com' }));
    answers.push(await scene.sandbox.assess({ email: 'block@example.com', ip: IP }));
    await scene.live.assess({ email: colleague('jo') }, capped.live);
    const note = {
      request_id: answers[0]?.json.request_id,
      outcome: 'false_positive',
      note: 'kept \ud800 note',
    };
    expect((await scene.live.feedback(note)).status).toBe(200);
    await (scene.service as ServiceProcess)[end]();
    client = createClient((await scene.installation.start()).url, scene.account.live);
  });
  afterAll(async () => {
    client?.close();
    await scene?.end();
  });

  it('every assessment is unchanged, byte for byte', async () => {
    expect(answers).toHaveLength(LIVE + 1);
    for (const { json, text } of answers) expect((await client.get(json.request_id)).text).toBe(text);
  });

  it('the credits equal the stored live assessments, and a cap that was reached stays reached', async () => {
    const usage = await client.usage();
    expect(usage.json.assessments_used).toBe(LIVE);
    expect(meterOf(usage).used).toBe(LIVE);
    expect(problemOf(await client.assess({ email: colleague('jo') }, capped.live)).code).toBe(
      'quota_exceeded',
    );
  });

  it('feedback is kept', async () => {
    const requestId = answers[0]?.json.request_id as string;
    const feedback = await withStored(scene.installation, (store) => store.findFeedback(requestId));
    expect(feedback).toMatchObject({ requestId, outcome: 'false_positive', note: 'kept \ud800 note' });
  });

  it('accounts keep their plan and thresholds, and keys work or stay revoked', async () => {
    expect((await client.usage(strict.live)).json.plan).toBe('pro');
    const { json } = await client.assess({ email: 'info@strict-harbour.com' }, strict.live);
    expect(json).toMatchObject({ verdict: 'block', reasons: [{ code: 'email_role_account' }] });
    expect((await client.assess({ email: 'allow@example.com' }, strict.test)).json.score).toBe(5);
    expect(problemOf(await client.usage(revoked)).code).toBe('token_revoked');
  });

  it('velocity continues for the IP, the domain and the mailbox, without the sandbox', async () => {
    const next = (await client.assess({ email: colleague('next'), ip: IP })).json;
    expect(next.signals.velocity).toEqual({
      ip_signups_1h: LIVE - 1,
      ip_signups_24h: LIVE - 1,
      email_domain_1h: LIVE - 1,
      email_domain_24h: LIVE - 1,
    });
    expect(next.reasons.map(({ code }) => code).toSorted()).toEqual(['velocity_domain', 'velocity_ip']);
    const again = (await client.assess({ email: colleague('jo0') })).json;
    expect(again.signals.velocity.email_domain_1h).toBe(LIVE - 1);
    const third = (await client.assess({ email: 'joharbour@googlemail.com' })).json;
    expect(third.reasons[0]).toEqual({ code: 'velocity_domain', signal: 'velocity' });
  });
});
