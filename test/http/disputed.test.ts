/** The answer of POST /v1/assess if something contradicts a list of disposable domains. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { until } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { readDecision } from '../support/stored.ts';

const SERVICE = 'yopmail.com';

let scene: Scene;
let reporter: Planted;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      reporter = await plant(installation);
      const service = await installation.start();
      const client = createClient(service.url, reporter.live);
      for (const name of ['ann', 'bob']) {
        const { request_id } = (await client.assess({ email: `${name}@${SERVICE}` })).json;
        await client.feedback({ request_id, outcome: 'false_positive' });
      }
      client.close();
      await service.stop();
    },
  });
});
afterAll(() => scene?.end());

describe('a disputed listing', () => {
  it('challenges, and names the lists and the reasons against them', async () => {
    const answer = (await scene.live.assess({ email: 'jo@blogos.com' })).json;
    expect(answer).toMatchObject({
      verdict: 'challenge',
      reasons: [{ code: 'email_reputation', signal: 'email' }],
      signals: { email: { disposable: false } },
    });
    const { findings } = await readDecision(scene.installation, scene.account.id, answer.request_id);
    expect(findings).toMatchObject([
      {
        detector: 'disposable_disputed',
        detail:
          'blogos.com is on a list of disposable domains (mailchecker), but blogos.com is known as an ordinary domain',
      },
    ]);
  });

  it('allows names below a suffix that strangers share, and challenges the suffix itself', async () => {
    expect((await scene.live.assess({ email: 'jo@honest.mooo.com' })).json).toMatchObject({ score: 0 });
    expect((await scene.live.assess({ email: 'jo@mooo.com' })).json.verdict).toBe('challenge');
  });

  it('is given only to an account that reported good customers of the domain', async () => {
    const client = createClient(scene.service.url, reporter.live);
    const verdictOf = async (asking: typeof client) =>
      (await asking.assess({ email: `jo@${SERVICE}` })).json.verdict;
    expect(await verdictOf(client)).toBe('block');
    await until(async () => (await verdictOf(client)) === 'challenge');
    expect(await verdictOf(scene.live)).toBe('block');
    client.close();
  });
});
