/** A link of an appeal is over when its answer says so, not a millisecond sooner or later. */
import { expect, it } from 'vitest';
import { createSecretBox } from '../accounts/secret-box.ts';
import { Problem } from '../contract/problem.ts';
import type { StoredAppeal } from '../store/appeal-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { createAppeals } from './appeals.ts';

const CALLER = { accountId: 'acc_a', mode: 'live' } as const;
const REQUEST = 'req_01k0q8y5m9x3w7v2n4b6c8d0zz';
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33, 250);
const WRITTEN = { text: 'I am no robot.', contact: null };

function start() {
  const saved: StoredAppeal[] = [];
  const stored = { requestId: REQUEST, mode: 'live', verdict: 'block', shadow: false } as StoredAssessment;
  const appeals = createAppeals({
    box: createSecretBox(Buffer.alloc(32, 7)),
    keptDays: 90,
    store: {
      findStored: async () => stored,
      saveAppeal: async (appeal) => saved.push(appeal as StoredAppeal) > 0,
    },
  });
  return { appeals, saved };
}

it.each([1, 7, 30])(
  'takes what is written up to the end of a link of %i days, and nothing after it',
  async (days) => {
    const { appeals, saved } = start();
    const { token, expiresAt } = await appeals.link(REQUEST, CALLER, days, NOW);
    expect(expiresAt).toBe(NOW - 250 + days * DAY_MS);
    await appeals.receive(token, WRITTEN, expiresAt - 1);
    expect(saved).toHaveLength(1);
    for (const at of [expiresAt, expiresAt + 365 * DAY_MS]) {
      const refused = await appeals.receive(token, WRITTEN, at).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({ code: 'missing_field', param: 'token' });
    }
    expect(saved).toHaveLength(1);
  },
);

it('says of a link that is over what it says of one that was never made', async () => {
  const { appeals } = start();
  const { token, expiresAt } = await appeals.link(REQUEST, CALLER, 7, NOW);
  const refusalOf = (link: string) =>
    appeals
      .receive(link, WRITTEN, expiresAt)
      .catch((error: Problem) => [error.code, error.param, error.message]);
  expect(await refusalOf(token)).toEqual(await refusalOf('v1.made-up'));
});
