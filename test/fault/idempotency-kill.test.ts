/** `kill -9` between commit and answer: a retry with the same `Idempotency-Key` gets the stored answer, and nothing is stored twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { databaseFile, viewDatabase } from '../support/crash-database.ts';
import { until } from '../support/expectations.ts';
import { HANG_MS, rounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const MIN_ROUNDS = rounds(1, 10);
const MAX_ROUNDS = 40;
const AT_ONCE = 40;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation?.remove());

it('stores each request once, and repeats the stored answer', { timeout: 300_000 }, async () => {
  const { live } = await plant(installation, { requestsPerSecond: 100_000 });
  /** Stored, although the caller got no answer. */
  let unanswered = 0;
  let round = 0;
  for (; round < MIN_ROUNDS || (unanswered === 0 && round < MAX_ROUNDS); round += 1) {
    const names = Array.from({ length: AT_ONCE }, (_, at) => `r${round}-${at}`);
    const service = await installation.spawn({}, PATIENT_SERVICE);
    const view = viewDatabase(databaseFile(installation));
    const before = view.liveCount();
    const first = sendAll(service.url, live, names);
    // At once: a moment later all have their answers.
    await until(() => view.liveCount() > before, HANG_MS, 1);
    await service.kill();
    const answers = await first;
    const stored = view.ids('live');

    const restarted = await installation.spawn({}, PATIENT_SERVICE);
    const again = await sendAll(restarted.url, live, names);
    for (const [at, answer] of again.entries()) {
      if (answer === undefined) throw new Error('a running service did not answer');
      expect(answer.status).toBe(200);
      const earlier = answers[at];
      if (earlier !== undefined) expect(answer.text).toBe(earlier.text);
      const wasStored = stored.has(answer.json.request_id as string);
      expect(answer.headers['idempotent-replayed']).toBe(wasStored ? 'true' : undefined);
      if (wasStored && earlier === undefined) unanswered += 1;
    }
    expect(view.liveCount()).toBe((round + 1) * AT_ONCE);
    const client = createClient(restarted.url, live);
    expect((await client.usage()).json.assessments_used).toBe((round + 1) * AT_ONCE);
    client.close();
    view.close();
    await restarted.stop();
  }
  process.stdout.write(`${unanswered} of ${round * AT_ONCE} were stored without an answer\n`);
  expect(unanswered).toBeGreaterThan(0);
});

/** `undefined` for a request that got no answer. */
async function sendAll(url: string, key: string, names: readonly string[]) {
  const client = createClient(url, key);
  const answers = await Promise.all(
    names.map((name) =>
      client
        .send({
          method: 'POST',
          path: '/v1/assess',
          body: { email: `${name}@example.com` },
          headers: { 'idempotency-key': name },
        })
        .catch(() => undefined),
    ),
  );
  client.close();
  return answers;
}
