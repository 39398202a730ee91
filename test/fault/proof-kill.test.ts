/** `kill -9` while proofs of work are redeemed: what was told as passed stays passed, no proof lets a second signup in, and a retry hears its result. */
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { rounds } from '../support/long-version.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const ROUNDS = rounds(2, 10);
const AT_ONCE = 24;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_PROOF_WORK: '0.1' });
});
afterAll(() => installation?.remove());

type Redeemed = ChallengeResponse & { readonly error?: { readonly code: string } };
interface Proof {
  readonly token: string;
  readonly altcha: string;
}

const redeem = (client: Client, body: object, by?: string) =>
  client.send<Redeemed>({
    method: 'POST',
    path: '/v1/challenges',
    body,
    headers: by === undefined ? {} : { 'idempotency-key': by },
  });

async function prove(client: Client): Promise<Proof> {
  const token = (await client.assess({ email: 'challenge@example.com' })).json.request_id;
  const { json } = await redeem(client, { token, proof: {} });
  const challenge = JSON.parse(json.proof?.challenge ?? '') as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return { token, altcha: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') };
}

it('passes each proof once, for one redeemer', { timeout: 300_000 }, async () => {
  const { test } = await plant(installation, { requestsPerSecond: 100_000 });
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await installation.spawn({}, PATIENT_SERVICE);
    const before = createClient(service.url, test);
    const proofs = await Promise.all(Array.from({ length: AT_ONCE }, () => prove(before)));
    let answered = 0;
    const sent = proofs.map((proof) =>
      redeem(before, proof, `mine-${proof.token}`)
        .then((answer) => {
          answered += 1;
          if (answered === AT_ONCE / 3) void service.kill();
          return answer.json.status;
        })
        .catch(() => undefined),
    );
    const told = await Promise.all(sent);
    await service.kill();
    before.close();
    acknowledged += told.filter((status) => status === 'passed').length;

    const restarted = await installation.spawn({}, PATIENT_SERVICE);
    const client = createClient(restarted.url, test);
    for (const [at, proof] of proofs.entries()) {
      const stored = (await redeem(client, { token: proof.token })).json.status;
      if (told[at] === 'passed') expect(stored).toBe('passed');
      // The one who redeemed before the kill hears the result, also if its answer was lost; then nobody else does.
      const again = await redeem(client, proof, `mine-${proof.token}`);
      expect(again.json.status).toBe('passed');
      expect(again.headers['idempotent-replayed']).toBe(stored === 'passed' ? 'true' : undefined);
      expect((await redeem(client, proof, 'another')).json.error?.code).toBe('challenge_redeemed');
    }
    client.close();
    await restarted.stop();
  }
  expect(acknowledged).toBeGreaterThan(0);
});
