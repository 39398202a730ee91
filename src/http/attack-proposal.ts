/** Proposes which entries of the Block list end an attack, and counts who else they would stop. */
import type { BlockPlace } from '../contract/dashboard-attacks.ts';
import { type CountedPlace, candidatePlaces, chooseCover } from '../signup/attack-cover.ts';
import type { Attacker, AttackPlace } from '../signup/attack-place.ts';
import { reportedAs } from '../signup/label-effect.ts';
import { totalOf } from '../store/history-groups.ts';
import type { HistoryEntry, HistoryStore } from '../store/history-store.ts';
import type { Attack } from './attack-signups.ts';
import { DAY_MS } from './dashboard-periods.ts';
import type { IsCrowdedDomain } from './list-values.ts';

export interface ProposalOptions {
  readonly store: Pick<HistoryStore, 'countGroups' | 'listCandidates'>;
  readonly isCrowdedDomain: IsCrowdedDomain;
}

export interface Proposal {
  readonly places: readonly BlockPlace[];
  readonly covered: number;
}

interface Counted extends CountedPlace {
  readonly others: number;
  readonly othersLetIn: number;
  readonly good: number;
  readonly fraud: number;
  readonly examples: readonly string[];
}

const LOOKED_BACK_MS = 30 * DAY_MS;
const MAX_OTHERS = 20_000;
const MAX_EXAMPLES = 3;
/** Places that are shown besides the chosen ones. */
const MAX_MORE = 5;

export async function proposeBlock(
  { store, isCrowdedDomain }: ProposalOptions,
  accountId: string,
  attack: Attack,
  now: number,
): Promise<Proposal> {
  const attackers = attack.rows.map(toAttacker);
  const from = now - LOOKED_BACK_MS;
  const { groups } = await store.countGroups(accountId, { mode: 'live', from }, 'range');
  const candidates = candidatePlaces(attackers, {
    ranges: groups.map((group) => ({ value: group.value, count: totalOf(group) })),
    isCrowded: (value) => isCrowdedDomain({ kind: 'domain', value }),
  });
  const own = new Set(attack.rows.map(({ requestId }) => requestId));
  const counted: Counted[] = [];
  for (const place of candidates) counted.push(await countOthers(store, accountId, { place, own, from }));
  const { places, covered } = chooseCover(attackers, counted);
  const more = counted
    .filter((place) => !places.includes(place))
    .sort((a, b) => b.attackers - a.attackers)
    .slice(0, MAX_MORE);
  const shown = [
    ...places.map((place) => toBlockPlace(place, true)),
    ...more.map((place) => toBlockPlace(place, false)),
  ];
  return { places: shown, covered };
}

export function toAttacker({ ip, emailDomain: domain }: HistoryEntry): Attacker {
  return { ip, domain };
}

async function countOthers(
  store: ProposalOptions['store'],
  accountId: string,
  {
    place,
    own,
    from,
  }: { readonly place: AttackPlace; readonly own: ReadonlySet<string>; readonly from: number },
): Promise<Counted> {
  const { block, value } = place;
  const scope = block === null ? { domain: value } : { ip: block };
  const count = { others: 0, othersLetIn: 0, good: 0, fraud: 0 };
  const examples: string[] = [];
  for await (const { candidates } of store.listCandidates(accountId, scope, from, MAX_OTHERS))
    for (const { row } of candidates) {
      if (own.has(row.requestId)) continue;
      count.others += 1;
      if (row.shadow || row.verdict === 'allow') count.othersLetIn += 1;
      const reported = reportedAs(row.feedback);
      if (reported !== null) count[reported] += 1;
      if (reported !== 'fraud' && examples.length < MAX_EXAMPLES && !examples.includes(row.email))
        examples.push(row.email);
    }
  return { ...place, ...count, examples, innocents: count.others - count.fraud };
}

function toBlockPlace(place: Counted, chosen: boolean): BlockPlace {
  const { kind, value, attackers: covers, others, othersLetIn: others_let_in, good, fraud, examples } = place;
  return { kind, value, covers, others, others_let_in, good, fraud, examples, chosen };
}
