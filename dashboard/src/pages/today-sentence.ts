/** Says what happened in a period in one sentence, and how sure that is; each number links to exactly its signups. */
import type { FilterMembers } from '../../../src/contract/dashboard-signup-counts.ts';
import type { Today } from '../../../src/contract/dashboard-today.ts';
import type { AccountPath } from '../pages.ts';
import { grouped, percent, pluralize } from '../ui/format.ts';
import type { Times } from '../ui/times.ts';
import { observedOf, signupsOf } from '../ui/verdicts.ts';

const DAY_MS = 86_400_000;
/** Min. number of checks whose interval needs no warning. */
const MANY_CHECKS = 100;
const PERIOD_WORDS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
/** Values of the filter of signups. */
export const STOPPED = 'challenge,block';
export const GOOD = 'false_positive';
export const FRAUD = 'false_negative,confirmed_fraud';

/** A piece of a sentence; its number is that of the signups that the filter finds, or the page shows. */
export interface Part {
  readonly text: string;
  readonly filter?: FilterMembers;
  readonly page?: AccountPath;
  readonly query?: Readonly<Record<string, string>>;
}

export function sentenceOf(today: Today, times: Times): readonly Part[] {
  const { period, totals } = today;
  const total = signupsOf(totals);
  const start = plain(`Since ${sinceWords(today, times)}: `);
  if (total === 0) return [start, plain(['no signups', ...unusualWords(today)].join(', ')), plain('.')];
  const parts: (readonly Part[])[] = [[{ text: pluralize(total, 'signup'), filter: { period } }]];
  const { challenge, block } = totals;
  if (block === 0) parts.push([plain(challenge === 0 ? 'none blocked or challenged' : 'none blocked')]);
  else parts.push([stopped(today, 'block', `${pluralize(block, 'fake one')} blocked`)]);
  if (challenge > 0) parts.push([stopped(today, 'challenge', `${grouped(challenge)} challenged`)]);
  if (observedOf(totals) > 0) parts.push(observedWords(today));
  const unusual = unusualParts(today);
  if (unusual.length > 0) parts.push(unusual);
  return [
    start,
    ...parts.flatMap((part, index) => (index === 0 ? part : [plain(', '), ...part])),
    plain('.'),
  ];
}

/** The words alone, as a person reads them aloud. */
export function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('');
}

function plain(text: string): Part {
  return { text };
}

/** Filter without those that were only observed, where there are any. */
function stopped({ period, totals }: Today, verdict: 'challenge' | 'block', text: string): Part {
  const observed = totals.observed[verdict] > 0;
  return { text, filter: { period, verdict, ...(observed && { shadow: 'false' }) } };
}

/** `yesterday 17:00`, `Mon, Nov 23`, `Oct 31` */
function sinceWords({ period, since, as_of }: Today, times: Times): string {
  if (period === '30d') return times.day(since);
  if (period === '7d') return `${times.weekday(since)}, ${times.day(since)}`;
  const dayOf = (at: string) => Math.floor(times.wallClock.wallOf(Date.parse(at)) / DAY_MS);
  const isToday = dayOf(since) === dayOf(as_of);
  return `${isToday ? 'today' : 'yesterday'} ${times.clock(since)}`;
}

function observedWords({ period, totals, observed_keys: keys }: Today): Part[] {
  const [key] = keys;
  const who =
    key !== undefined && keys.length === 1 ? `“${key.name}”, which only observes,` : 'keys in shadow mode';
  return [
    {
      text: `${grouped(observedOf(totals))} let in`,
      filter: { period, verdict: STOPPED, shadow: 'true' },
    },
    plain(` that ${who} would have stopped`),
  ];
}

function unusualWords(today: Today): string[] {
  const text = textOf(unusualParts(today));
  return text === '' ? [] : [text];
}

function unusualParts({ unusual, latest, since }: Today): readonly Part[] {
  if (unusual === null) return [];
  const { waves, open, over } = unusual;
  const parts: Part[] = [];
  if (waves > 0) parts.push({ text: pluralize(waves, 'wave'), page: 'campaigns', query: { since } });
  if (open > 0) parts.push({ text: pluralize(open, 'open alert'), page: 'alerts' });
  if (over > 0)
    parts.push({
      text: `${pluralize(over, 'alert')} that ${over === 1 ? 'is' : 'are'} over`,
      page: 'alerts',
      query: { state: 'closed', since },
    });
  if (parts.length === 0) return latest === null ? [] : [plain('nothing unusual')];
  const last = parts.length - 1;
  return parts.flatMap((part, at) => (at === 0 ? [part] : [plain(at === last ? ' and ' : ', '), part]));
}

/** How many of the blocked ones that people checked were fraud; `null`: nobody was blocked, and nobody was checked. */
export function sureOf({ checked, totals }: Today): readonly Part[] | null {
  const { good, fraud, period } = checked;
  const count = good + fraud;
  const days = `the last ${PERIOD_WORDS[period]}`;
  const blocked = { period, verdict: 'block', shadow: 'false' };
  if (count === 0) {
    if (totals.block === 0) return null;
    return [
      plain(`How sure: nobody has checked the blocked ones of ${days} yet. `),
      { text: 'Check some', filter: { ...blocked, feedback: 'none' } },
    ];
  }
  const [low, high] = shareInterval(fraud, count);
  const range = `${percent(low, 1)} to ${percent(high, 1)}`;
  return [
    plain(`How sure: of ${grouped(count)} blocked in ${days} and checked, `),
    {
      text: `${grouped(fraud)} ${fraud === 1 ? 'was' : 'were'} fraud`,
      filter: { ...blocked, feedback: FRAUD },
    },
    plain(' and '),
    {
      text: `${grouped(good)} ${good === 1 ? 'a good customer' : 'good customers'}`,
      filter: { ...blocked, feedback: GOOD },
    },
    plain(
      count < MANY_CHECKS
        ? `: ${percent(fraud, count)} fraud. With so few checks, the real share is somewhere from ${range}.`
        : `: ${percent(fraud, count)} fraud, between ${range.replace(' to ', ' and ')} with 95% confidence.`,
    ),
  ];
}

/** Two-sided quantile of the normal distribution for 95 %. */
const Z = 1.959_964;

/** The 95 % interval of a share, by Wilson: it is also right for few. */
export function shareInterval(part: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = part / of;
  const z2 = Z * Z;
  const middle = share + z2 / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  const within = (value: number) => Math.min(1, Math.max(0, value / (1 + z2 / of)));
  return [within(middle - half), within(middle + half)];
}
