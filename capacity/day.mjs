// A day of traffic, minute by minute and account by account: day curves, campaigns, and attacks up to each account’s limit.
import { rateLimitOf } from './accounts.mjs';
import { createPicker, createRandom } from './random.mjs';

export const MINUTES = 1_440;

/**
 * @returns `assessed[account × minute]`, the requests that rate limits refuse in each minute, and for each account how many
 * attempts of the day were ordinary, from floods and from waves
 */
export function makeDay(accounts, perDay, assumptions) {
  const random = createRandom(assumptions.seed, `day of ${perDay}`);
  const attacks = makeAttacks(accounts, perDay, assumptions, random);
  const assessed = new Float32Array(accounts.length * MINUTES);
  const refused = new Float64Array(MINUTES);
  const kinds = accounts.map(() => ({ ordinary: 0, floods: 0, waves: 0 }));
  const attacked = attacks.reduce((sum, attack) => sum + attack.admitted, 0);
  for (const account of accounts) {
    const limit = 60 * rateLimitOf(account, perDay, assumptions);
    const curve = ordinaryDay(account, account.share * (perDay - attacked), assumptions, random);
    const base = account.index * MINUTES;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const ordinary = Math.min(limit, random.poisson(curve[minute]));
      assessed[base + minute] = ordinary;
      kinds[account.index].ordinary += ordinary;
    }
    for (const attack of attacks.filter((candidate) => candidate.account === account)) {
      for (let step = 0; step < attack.minutes; step += 1) {
        const minute = (attack.start + step) % MINUTES;
        const wanted = random.poisson(60 * attack.perSecond);
        const admitted = Math.min(wanted, Math.max(0, limit - assessed[base + minute]));
        assessed[base + minute] += admitted;
        refused[minute] += wanted - admitted;
        kinds[account.index][attack.kind] += admitted;
      }
    }
  }
  return { assessed, refused, kinds, attacks };
}

/** Attempts of all accounts in each minute. */
export function totalsOf(assessed, accounts) {
  const totals = new Float64Array(MINUTES);
  for (let account = 0; account < accounts; account += 1)
    for (let minute = 0; minute < MINUTES; minute += 1)
      totals[minute] += assessed[account * MINUTES + minute];
  return totals;
}

/** Expected attempts in each minute: the daily curve of the time zone, random variation, and some campaigns. */
function ordinaryDay({ zone }, attempts, { dayDepth, daySharpness, minuteSigma, campaigns }, random) {
  const curve = new Float64Array(MINUTES);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const phase = (2 * Math.PI * (minute / 60 - zone.peakHour)) / 24;
    curve[minute] = (1 + dayDepth * Math.cos(phase)) ** daySharpness * random.logNormal(1, minuteSigma);
  }
  if (random.uniform() < campaigns.perAccount) {
    const [min, max] = campaigns.minutes;
    const length = min + random.below(max - min);
    const factor = campaigns.factor[0] + random.uniform() * (campaigns.factor[1] - campaigns.factor[0]);
    const start = random.below(MINUTES);
    for (let step = 0; step < length; step += 1)
      curve[(start + step) % MINUTES] *= 1 + (factor - 1) * (1 - step / length);
  }
  const sum = curve.reduce((total, value) => total + value, 0);
  return curve.map((value) => (value * attempts) / sum);
}

/** Larger accounts get more attacks; the size of an attack does not depend on the account. */
function makeAttacks(accounts, perDay, assumptions, random) {
  const pick = createPicker(
    accounts.map(({ share }) => Math.sqrt(share)),
    random,
  );
  return Object.entries(assumptions.attacks).flatMap(([kind, shape]) =>
    Array.from({ length: Math.round((shape.perHundredMillion * perDay) / 1e8) }, () => {
      const account = accounts[pick()];
      const perSecond = random.logNormal(shape.perSecond, shape.sigma);
      const minutes = Math.max(1, Math.round(random.logNormal(shape.minutes, shape.sigma)));
      const limit = rateLimitOf(account, perDay, assumptions);
      const admitted = 60 * minutes * Math.min(perSecond, limit);
      return { kind, account, perSecond, minutes, start: random.below(MINUTES), admitted };
    }),
  );
}
