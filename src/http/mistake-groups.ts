/** Groups open mistakes by their cause, and says for each cause what would help, and what that does to both labels. */
import type { Directory } from '../accounts/directory.ts';
import type { MistakeGroup, Remedy, RemedyEffect } from '../contract/dashboard-mistakes.ts';
import type { FilterMembers } from '../contract/dashboard-signup-counts.ts';
import { formatFilterValues } from '../contract/filter-values.ts';
import { splitOffice } from '../model/list-entry.ts';
import { ALLOW_LIST, DENY_LIST } from '../model/main-finding.ts';
import { shareInterval } from '../signup/share-interval.ts';
import { totalOf } from '../store/history-groups.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { Account } from '../store/store.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import type { QueuedMistake, QueueSearch } from './mistake-queue.ts';

export interface MistakeGroupsOptions {
  readonly store: Pick<HistoryStore, 'countGroups'>;
  readonly directory: Pick<Directory, 'keysOf' | 'thresholdsOf'>;
  readonly readers: SearchReaders;
}

export interface GroupsCall extends QueueSearch {
  readonly account: Account;
  readonly period: string;
}

/** Groups whose remedy is counted; the others are small. */
const MAX_REMEDIES = 12;
const GOOD = 'false_positive';
const FRAUD = 'false_negative,confirmed_fraud';
const STOPPED = 'challenge,block';
const NOT_BLOCKED = 'allow,challenge';
const BURSTS = 'ip_burst,domain_burst';

interface Group {
  readonly mistakes: readonly [QueuedMistake, ...QueuedMistake[]];
  readonly waiting: boolean;
}

/** Groups in which somebody waits come first, then the largest. */
export async function groupMistakes(
  options: MistakeGroupsOptions,
  call: GroupsCall,
  open: readonly QueuedMistake[],
): Promise<MistakeGroup[]> {
  const byCause = new Map<string, [QueuedMistake, ...QueuedMistake[]]>();
  for (const mistake of open) {
    const group = byCause.get(mistake.cause.id);
    if (group === undefined) byCause.set(mistake.cause.id, [mistake]);
    else group.push(mistake);
  }
  const groups: Group[] = [...byCause.values()].map((mistakes) => ({
    mistakes,
    waiting: mistakes.some(({ row }) => row.kind !== 'report'),
  }));
  groups.sort((a, b) => Number(b.waiting) - Number(a.waiting) || b.mistakes.length - a.mistakes.length);
  return Promise.all(
    groups.map(async ({ mistakes }, at): Promise<MistakeGroup> => {
      const [{ cause }] = mistakes;
      const remedy = at < MAX_REMEDIES ? remedyOf(options, call, mistakes) : undefined;
      return {
        cause: cause.id,
        title: cause.title,
        side: cause.side,
        count: mistakes.length,
        remedy:
          remedy === undefined
            ? null
            : { change: remedy.change, ...(await effectOf(options, call, remedy, cause.side)) },
      };
    }),
  );
}

interface CountedRemedy {
  readonly change: Remedy;
  /** The signups that it is about, whatever was reported. */
  readonly filter: FilterMembers;
}

/** `undefined`: nothing helps all of them, each needs a look. */
function remedyOf(
  { directory }: MistakeGroupsOptions,
  { account }: GroupsCall,
  [{ cause, row }]: Group['mistakes'],
): CountedRemedy | undefined {
  const { subject, side } = cause;
  const verdict = side === 'good' ? STOPPED : NOT_BLOCKED;
  const { request_id } = row;
  switch (subject.kind) {
    case 'entry':
      return {
        change: { kind: 'entry', action: subject.action, value: subject.value },
        filter: { list_entry: subject.id },
      };
    case 'wave':
      return { change: { kind: 'wave', id: subject.id }, filter: { campaign: subject.id, verdict } };
    case 'office': {
      const { domain, network } = splitOffice(subject.value);
      return {
        change: { kind: 'office', value: subject.value, request_id },
        filter: { ip: network, ...(domain !== null && { domain }), verdict, finding: BURSTS },
      };
    }
    case 'domain': {
      const { domain } = subject;
      const action = side === 'good' ? 'allow' : 'deny';
      return { change: { kind: 'list', action, domain, request_id }, filter: { domain, verdict } };
    }
    case 'score':
      return scoreRemedy(directory, account.id, subject, side);
    case 'finding':
      return undefined;
  }
}

function scoreRemedy(
  directory: MistakeGroupsOptions['directory'],
  accountId: string,
  { moves, score }: { readonly moves: 'challenge' | 'block'; readonly score: number },
  side: 'good' | 'fraud',
): CountedRemedy | undefined {
  const current = directory.thresholdsOf(accountId);
  const to = current[moves] + (side === 'good' ? 1 : -1);
  const thresholds = { ...current, [moves]: to };
  const isPossible = thresholds.challenge >= 1 && thresholds.challenge <= thresholds.block && to <= 100;
  if (!isPossible) return undefined;
  const own = directory.keysOf(accountId).filter((key) => key.thresholds !== null);
  const verdict = side === 'good' ? moves : moves === 'challenge' ? 'allow' : 'challenge';
  return {
    change: { kind: 'thresholds', moves, from: current[moves], to, thresholds },
    filter: {
      score_min: String(score),
      score_max: String(score),
      verdict,
      // Thresholds change neither what a list decides nor what is judged by a key's own.
      finding: `!${DENY_LIST},!${ALLOW_LIST}`,
      ...(own.length > 0 && { key: formatFilterValues({ any: [], not: own.map(({ id }) => id) }) }),
    },
  };
}

/** Counts what the links find. */
async function effectOf(
  { store, readers }: MistakeGroupsOptions,
  { account, mode, period, now }: GroupsCall,
  { filter }: CountedRemedy,
  side: 'good' | 'fraud',
): Promise<RemedyEffect> {
  const filters = { good: { ...filter, feedback: GOOD }, fraud: { ...filter, feedback: FRAUD } };
  const count = async (members: FilterMembers) => {
    const clock = { now, timeZone: account.timeZone };
    const search = readLogFilter({ ...members, mode, period }, readers, clock);
    const { groups } = await store.countGroups(account.id, search, 'all');
    return groups.reduce((sum, group) => sum + totalOf(group), 0);
  };
  const [good, fraud] = await Promise.all([count(filters.good), count(filters.fraud)]);
  const isMilder = side === 'good';
  const right = shareInterval(isMilder ? good : fraud, good + fraud);
  return {
    effect: {
      helped: isMilder ? good : 0,
      harmed: isMilder ? 0 : good,
      stopped: isMilder ? 0 : fraud,
      let_in: isMilder ? fraud : 0,
    },
    labelled: { good, fraud },
    filters,
    right: right === null ? null : { low: Math.floor(100 * right.low), high: Math.ceil(100 * right.high) },
    carries: right !== null && right.low > MAJORITY,
  };
}

const MAJORITY = 0.5;
