/** Usual domains in the running service: learned from the signups of the weeks before, stored, and heeded when many of their people come at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UsualDomain } from '../src/model/usual-domain.ts';
import { writeFacts } from '../src/signup/facts.ts';
import { anAssessment } from './support/an-assessment.ts';
import { ordinaryEvidence } from './support/any-evidence.ts';
import { type Client, createClient } from './support/client.ts';
import { patienceMs } from './support/long-version.ts';
import { type Planted, plant } from './support/plant.ts';
import { type Scene, startScene } from './support/scene.ts';
import type { ServiceProcess } from './support/service.ts';
import { readDecision, withStored } from './support/stored.ts';

const DOMAIN = 'quiet-harbour-college.com';
const PEOPLE = 15;
const DAY_MS = 86_400_000;
const PATIENCE = { timeout: patienceMs(30_000), interval: 50 };

let scene: Scene;
let other: Planted;
let client: Client;
beforeAll(async () => {
  scene = await startScene({ process: true });
  other = await plant(scene.installation);
  await (scene.service as ServiceProcess).kill();
  await storeWeeks(scene);
  const service = await scene.installation.spawn();
  client = createClient(service.url, scene.account.live);
});
afterAll(async () => {
  client?.close();
  await scene?.end();
});

/** People with numbers, from a network each, of whom nothing is known but that they came. */
async function storeWeeks({ installation, account }: Scene): Promise<void> {
  await withStored(installation, async (store) => {
    const from = Date.now() - 17 * DAY_MS;
    for (let number = 0; number < PEOPLE; number += 1) {
      const network = `81.2.${number}.9`;
      const evidence = ordinaryEvidence({
        email: { domain: DOMAIN, age: { days: -1, status: 'unlisted' } },
        ip: { address: network },
      });
      const thresholds = { challenge: 30, block: 60 };
      const facts = { policy: 'default-2', thresholds, findings: [], evidence, ipStatus: 'ok' } as const;
      await store.record(
        anAssessment({
          accountId: account.id,
          at: from + number * 1.15 * DAY_MS,
          verdict: 'allow',
          score: 0,
          reasons: [],
          weights: [],
          emailDomain: DOMAIN,
          addressHash: `address ${number}`,
          mailboxHash: `mailbox ${number}`,
          ip: network,
          network,
          facts: writeFacts({ ...facts, local: '', challenge: undefined }, []),
        }),
      );
    }
  });
}

const stored = () =>
  withStored(scene.installation, async (store) => {
    const rows: UsualDomain[] = [];
    for await (const row of store.usualDomainsSince(0)) rows.push(row);
    return rows;
  });

let sent = 0;
async function assess({ live }: Planted) {
  sent += 1;
  const email = `s${2_500_000 + sent}@${DOMAIN}`;
  return (await client.assess({ email, ip: `79.${192 + Math.floor(sent / 200)}.${sent % 200}.7` }, live))
    .json;
}
const evidenceOf = async ({ id }: Planted, requestId: string) =>
  (await readDecision(scene.installation, id, requestId)).evidence.email;

it('knows the people of the weeks before, lets many come at once, and says so', async () => {
  await expect.poll(stored, PATIENCE).toMatchObject([{ domain: DOMAIN, people: PEOPLE }]);
  const usualPeople = async () =>
    (await evidenceOf(scene.account, (await assess(scene.account)).request_id)).usualPeople;
  await expect.poll(usualPeople, PATIENCE).toBeGreaterThanOrEqual(PEOPLE);
  const verdicts = [];
  for (let count = 0; count < 25; count += 1) verdicts.push((await assess(scene.account)).verdict);
  expect(verdicts.filter((verdict) => verdict !== 'allow')).toEqual([]);
  const { request_id: last } = await assess(scene.account);
  const { findings } = await readDecision(scene.installation, scene.account.id, last);
  const details = findings.map(({ detail }) => detail).join();
  // The learner may already count the signups that were just sent.
  const people = Number(/; (\d+) people of this domain came before, since /.exec(details)?.[1]);
  expect(people).toBeGreaterThanOrEqual(PEOPLE);
  expect(people).toBeLessThan(PEOPLE + sent);
});

it('knows nothing of them for another account', async () => {
  const answers = [];
  for (let count = 0; count < 25; count += 1) answers.push(await assess(other));
  expect(answers.filter(({ verdict }) => verdict === 'challenge').length).toBeGreaterThan(0);
  expect(answers.filter(({ verdict }) => verdict === 'block')).toEqual([]);
  const { standing, usualPeople } = await evidenceOf(other, answers.at(-1)?.request_id ?? '');
  expect({ standing, usualPeople }).toEqual({ standing: '', usualPeople: 0 });
});
