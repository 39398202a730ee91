// Fills a data folder with the demo's month: every attempt goes through the pipeline at its own time.
import { createMakeId } from '../dist/contract/identifiers.js';
import { DEFAULT_THRESHOLDS } from '../dist/model/policy.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';
import { makeCrowd } from './crowd.mjs';
import { makeDecisions } from './decisions.mjs';
import { makeDomains } from './domains.mjs';
import { giveFeedback } from './feedback.mjs';
import { publishMirror } from './mirror.mjs';
import { openPipeline } from './pipeline.mjs';
import { createSeeded } from './seeded.mjs';
import { hireStaff } from './staff.mjs';
import { startWorld } from './world.mjs';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Attempts that run at the same time; their order is kept. */
const ABREAST = 32;

/** `feedsDir`: folder for the mirror of feeds; `null`: no mirror.
 * @returns `{ verdicts, accounts, keys, domains }`: the number of each verdict, and everything that was created */
export async function fillMonth({ dataDir, feedsDir, count, to, seed, names, say }) {
  const from = to - DAYS * DAY_MS;
  const random = createSeeded(seed);
  const { domains, companies } = makeDomains({ names, random, from, to });
  const crowd = makeCrowd({ from, to, count, names, companies, random });
  // The feeds need an existing installation.
  await openSqliteStore({ directory: dataDir }).close();
  if (feedsDir !== null)
    await publishMirror({ dataDir, feedsDir, listed: crowd.addresses.listed, names, random, say });
  const world = await startWorld(domains);
  let now = from;
  const pipeline = await openPipeline({ dataDir, ...world, clock: () => now });
  try {
    const makeId = createMakeId();
    const { accounts, keys } = await hireStaff({ store: pipeline.store, makeId, from, to });
    const current = {};
    const decisions = makeDecisions({
      pipeline,
      makeId,
      accounts,
      keys,
      current,
      crowd,
      companies,
      names,
      from,
      to,
    });
    const verdicts = { allow: 0, challenge: 0, block: 0 };
    const judged = [];
    /** Signups that run, in their order. */
    const pending = [];
    const settleFirst = async () => {
      const { requestId, ...judged } = await pending.shift();
      await pipeline.waves.learn(requestId, judged);
    };
    const settleAll = async () => {
      while (pending.length > 0) await settleFirst();
    };
    say(`${crowd.attempts.length} signups`);
    for (const attempt of crowd.attempts) {
      while (decisions[0] !== undefined && decisions[0].at <= attempt.at) {
        await settleAll();
        now = decisions[0].at;
        await decisions.shift().run();
      }
      // Members of a group are judged by what those before them showed.
      if (attempt.isOfGroup) await settleAll();
      else if (pending.length >= ABREAST) await settleFirst();
      now = attempt.at;
      pipeline.sweep(now);
      pending.push(assessOne(attempt));
    }
    await settleAll();
    await pipeline.store.storeLastUses('keys', lastUses(crowd.attempts, keys));
    await giveFeedback({ store: pipeline.store, judged, keys, names, random, to });
    return { verdicts, accounts, keys, domains };

    async function assessOne({ at, account, key, email, ip, session, honest }) {
      const requestId = makeId('req', at);
      const own = current[account] ?? {};
      const caller = {
        account: accounts[account],
        key: keys[key],
        limits: { requestsPerSecond: 1, monthlyAssessments: 1, cap: null },
        thresholds: keys[key].thresholds ?? own.thresholds ?? DEFAULT_THRESHOLDS,
        policy: own.policy ?? null,
      };
      const { mode } = caller.key;
      const message = {
        email,
        ...(ip === null ? {} : { ip }),
        ...(session === null ? {} : { session_id: session }),
      };
      const { verdict, shadow } = await pipeline.assess(caller, message, {
        requestId,
        at,
        started: performance.now(),
      });
      if (mode === 'live') verdicts[verdict] += 1;
      const signup = { requestId, at, verdict, shadow, honest, key, mode };
      judged.push(signup);
      return signup;
    }
  } finally {
    await pipeline.close();
    await world.close();
  }
}

function lastUses(attempts, keys) {
  return new Map(attempts.map(({ key, at }) => [keys[key].id, at]));
}
