import { describe, expect, it } from 'vitest';
import { aLearnedCampaign, asOpened } from '../../test/support/a-campaign.ts';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import type { Campaign, LearnedCampaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { createCampaignRecorder } from './campaign-recorder.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 0, 0);

/** A recorder over a store that notes its calls, and fails while `fails` says so. */
function createScene() {
  const calls: (readonly [string, number | string])[] = [];
  const known: Campaign[] = [];
  const usual: UsualDomain[] = [];
  const faults: Error[] = [];
  const scene = { fails: false, refuses: false };
  const save = <T>(call: readonly [string, number | string], result: T): T | undefined => {
    calls.push(call);
    if (scene.fails) throw new Error('the database is away');
    return scene.refuses ? undefined : result;
  };
  const recorder = createCampaignRecorder({
    store: {
      saveLearned: async (learned) => save(['learned', learned.members], asOpened(learned)),
      endSilent: async (id, { at }) =>
        save(['silent', at], {
          ...asOpened(campaign()),
          id,
          state: 'ended',
          ended: { at, by: '', reason: 'silence' },
        }),
      saveUsualDomain: async (row) => save(['usual', row.people], row),
    },
    index: { put: (each) => void known.push(each) },
    usual: { put: (each) => void usual.push(each) },
    clock: () => NOW,
    onFault: (error) => void faults.push(error),
  });
  return { scene, recorder, calls, known, usual, faults };
}

const campaign = (fields: Partial<LearnedCampaign> = {}) =>
  aLearnedCampaign('acc_a', 'postfarm.example', fields);

describe('the recorder of campaigns', () => {
  it('stores the newest of each, once, and lets this process know it at once', async () => {
    const { recorder, calls, known } = createScene();
    for (const members of [5, 6, 7]) recorder.learned(campaign({ members }));
    await recorder.flush();
    await recorder.flush();
    expect(calls).toEqual([['learned', 7]]);
    expect(known).toEqual([asOpened(campaign({ members: 7 }))]);
  });

  it('stores the newest of each usual domain, and lets this process know what was stored', async () => {
    const { recorder, calls, usual, scene } = createScene();
    const row = aUsualDomain('acc_a', 'uni.example');
    for (const people of [10, 11]) recorder.usual({ ...row, people });
    await recorder.flush();
    scene.refuses = true;
    recorder.usual({ ...row, people: 12 });
    await recorder.flush();
    expect(calls).toEqual([
      ['usual', 11],
      ['usual', 12],
    ]);
    expect(usual).toEqual([{ ...row, people: 11 }]);
  });

  it('ends what went silent, unless a member came first', async () => {
    const { recorder, calls, known } = createScene();
    recorder.silent(campaign());
    recorder.learned(campaign({ members: 9 }));
    await recorder.flush();
    recorder.silent(campaign());
    await recorder.flush();
    expect(calls).toEqual([
      ['learned', 9],
      ['silent', NOW],
    ]);
    expect(known.at(-1)).toMatchObject({ state: 'ended', ended: { reason: 'silence' } });
  });

  it('stores what was over before it was stored, and then its end', async () => {
    const { recorder, calls, known } = createScene();
    recorder.learned(campaign({ members: 9 }));
    recorder.silent(campaign());
    await recorder.flush();
    expect(calls).toEqual([
      ['learned', 9],
      ['silent', NOW],
    ]);
    expect(known.at(-1)?.state).toBe('ended');
  });

  it('stores a new one at once, because its next members come now', async () => {
    const { recorder, calls } = createScene();
    recorder.start();
    recorder.learned(campaign({ members: 5 }));
    await expect.poll(() => calls).toEqual([['learned', 5]]);
    recorder.learned(campaign({ members: 6 }));
    await new Promise(setImmediate);
    expect(calls).toEqual([['learned', 5]]);
    await recorder.close();
    expect(calls.at(-1)).toEqual(['learned', 6]);
  });

  it('forgets what an account left that was deleted', async () => {
    const { recorder, calls } = createScene();
    recorder.learned(campaign());
    recorder.removeAccount('acc_other');
    recorder.removeAccount('acc_a');
    await recorder.close();
    expect(calls).toEqual([]);
  });

  it('leaves what the store refuses: a person decided, or another one is open', async () => {
    const { scene, recorder, calls, known } = createScene();
    scene.refuses = true;
    recorder.learned(campaign());
    await recorder.flush();
    await recorder.flush();
    expect([calls.length, known.length]).toEqual([1, 0]);
  });

  it('tries again while the store fails, reports it once, and gives up in the end', async () => {
    const { scene, recorder, calls, known, faults } = createScene();
    scene.fails = true;
    recorder.learned(campaign({ members: 5 }));
    for (let round = 0; round < 3; round += 1) await recorder.flush();
    expect([calls.length, faults.length]).toEqual([3, 1]);
    scene.fails = false;
    await recorder.close();
    expect(known).toEqual([asOpened(campaign({ members: 5 }))]);
    scene.fails = true;
    calls.length = 0;
    recorder.learned(campaign());
    for (let round = 0; round < 100; round += 1) await recorder.flush();
    expect(calls.length).toBe(61);
  });
});
