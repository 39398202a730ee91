/** POST …/lists/preview: which signups of the last 30 days a new entry would have decided. */
import { conflictsOf, isOpposite, type ListDraft } from '../accounts/list-conflicts.ts';
import type { ListPreview, OfficePreview, SimulationMove } from '../contract/dashboard-account.ts';
import type { Verdict } from '../contract/messages.ts';
import { LIST_ACTIONS, type ListEntry, type ListScope } from '../model/list-entry.ts';
import { effectiveWeights } from '../signup/account-policy.ts';
import { labelEffectOf, reportedAs } from '../signup/label-effect.ts';
import { addAnswers, noAnswers } from '../store/answer-counts.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { HistoryEntry, HistoryStore, ListCandidate } from '../store/history-store.ts';
import type { ListStore } from '../store/store.ts';
import { requireIndexed, toAssessmentRow, toInstant } from './dashboard-history.ts';
import { toEntry } from './dashboard-lists.ts';
import { createOfficeTrial } from './dashboard-office-preview.ts';
import { spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, oneOf, TEXT } from './dashboard-values.ts';
import { createWorkPlaces, goneSignal } from './dashboard-work-places.ts';
import { type ListText, readListEntry } from './list-values.ts';
import { entriesOf, entryFacts } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface ListTrial {
  readonly kind: ListEntry['kind'];
  /** Value as it would be stored. */
  readonly value: string;
  readonly shown: string;
  /** Hashes of an address or a mailbox under every key in use; else empty. */
  readonly hashes: readonly string[];
  /** Hashes of the mailbox of an address under every key in use; else empty. */
  readonly mailboxHashes: readonly string[];
  readonly scopes: readonly ListScope[];
  /**
   * `overruled`: the entry matches the signup, and another one decides. `otherId`: the entry that decides then, or would
   * without this one.
   */
  resultOf(candidate: ListCandidate): {
    readonly result: 'decides' | 'overruled' | 'silent';
    readonly otherId: string | undefined;
  };
}

/** Reads a draft of an entry; `others` exist already. @throws Error of one sentence for people */
export type TryListEntry = (
  draft: ListText & { readonly action: ListEntry['action'] },
  others: readonly ListEntry[],
  now: number,
) => ListTrial;

export interface ListPreviewOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'listCandidates' | 'findAssessment'> &
    Pick<ListStore, 'listEntries'> &
    Pick<DashboardStore, 'policies'>;
  readonly tryListEntry: TryListEntry;
}

interface PreviewBody extends ListText {
  readonly action: string;
}

/** Reading all signups of a busy account would take too long. */
const MAX_CANDIDATES = 50_000;
const MAX_SAMPLES = 5;
const MAX_CONFLICTS = 10;
const PLACES = { what: 'previews of list entries', perAccount: 4, inAll: 12, retryAfterSeconds: 3 };

export function listPreviewRoute(routes: DashboardRoutes, options: ListPreviewOptions): void {
  const { store, tryListEntry } = options;
  const places = createWorkPlaces(PLACES);

  async function officeTrialOf(accountId: string, { shown }: ListTrial) {
    const [newest = null] = await store.policies(accountId);
    return createOfficeTrial({ store, accountId, value: shown, weights: effectiveWeights(newest) });
  }

  routes.forAccount<PreviewBody>({
    method: 'POST',
    path: '/accounts/:account/lists/preview',
    minRole: 'analyst',
    body: bodyOf({ action: TEXT, value: TEXT, exact: { type: 'boolean' } }, ['action', 'value']),
    async handle({ account, body, context, now }): Promise<ListPreview> {
      const gone = goneSignal(context);
      const action = oneOf(LIST_ACTIONS, 'action', body.action);
      const others = await store.listEntries(account.id);
      const trial = readListEntry(() => tryListEntry({ ...body, action }, others, now));
      const { from } = spanOf('30d', now, account.timeZone);
      const count = createCount(action);
      const office = action === 'office' ? await officeTrialOf(account.id, trial) : null;
      const reached: Reached = { own: null, below: null };
      await requireIndexed(store);
      let officePreview: OfficePreview | null;
      const leave = places.enter(account.id);
      try {
        for (const scope of trial.scopes) {
          for await (const chunk of store.listCandidates(account.id, scope, from, MAX_CANDIDATES)) {
            gone.throwIfAborted();
            for (const candidate of chunk.candidates) {
              const decision = trial.resultOf(candidate);
              count.add(candidate.row, decision);
              if (decision.result !== 'silent') office?.add(candidate, decision.result === 'decides');
            }
            if (chunk.reached !== null) reached[chunk.below ? 'below' : 'own'] = chunk.reached;
          }
        }
        officePreview = office === null ? null : await office.total(gone);
      } finally {
        leave();
      }
      const listed = entriesOf(trial, others, now);
      return {
        kind: trial.kind,
        value: trial.shown,
        listed: listed.map((other) => other.action),
        replaces: toEntryOrNull(listed.find((other) => other.action === action)),
        conflicts: conflictsWith({ ...trial, action }, others, now, count.contested),
        since: toInstant(from),
        version: versionOf(entryFacts(listed, trial.shown)),
        ...fromWhere(reached),
        ...count.total(),
        office: officePreview,
      };
    },
  });
}

/** Entries that do the opposite: known by their values, and by the signups that both match, which are counted. */
function conflictsWith(
  draft: ListDraft,
  others: readonly ListEntry[],
  now: number,
  contested: ReadonlyMap<string, Contested>,
): ListPreview['conflicts'] {
  const winners = new Map(conflictsOf(draft, others, now).map(({ entry, winner }) => [entry.id, winner]));
  return others
    .flatMap((entry) => {
      const seen = isOpposite(draft, entry) ? contested.get(entry.id) : undefined;
      const winner = winners.get(entry.id) ?? seen?.winner;
      return winner === undefined ? [] : [{ entry: toEntry(entry), winner, signups: seen?.signups ?? 0 }];
    })
    .sort((a, b) => b.signups - a.signups)
    .slice(0, MAX_CONFLICTS);
}

const toEntryOrNull = (entry: ListEntry | undefined) => (entry === undefined ? null : toEntry(entry));

/** Signups that the entry and another one match. */
interface Contested {
  readonly winner: 'new' | 'existing';
  readonly signups: number;
}

/** Times until which signups were read, where that is not the whole period: of a domain itself, and of names below it. */
interface Reached {
  own: number | null;
  below: number | null;
}

function fromWhere({ own, below }: Reached): Pick<ListPreview, 'counted_from' | 'only_below'> {
  const ends = [own, below].filter((at) => at !== null);
  return {
    counted_from: ends.length === 0 ? null : toInstant(Math.max(...ends)),
    only_below: own === null && below !== null,
  };
}

function createCount(action: ListEntry['action']) {
  const outcome: Verdict = action === 'deny' ? 'block' : 'allow';
  const matched = noAnswers();
  const labelled = { good: 0, fraud: 0 };
  const moves: Pick<SimulationMove, 'from' | 'to' | 'good' | 'fraud'>[] = [];
  const contested = new Map<string, Contested>();
  let overruled = 0;
  const changed: HistoryEntry[] = [];
  const same: HistoryEntry[] = [];
  return {
    contested,
    add(row: HistoryEntry, { result, otherId }: ReturnType<ListTrial['resultOf']>): void {
      if (result === 'silent') return;
      if (otherId !== undefined) {
        const winner = result === 'decides' ? 'new' : 'existing';
        contested.set(otherId, { winner, signups: (contested.get(otherId)?.signups ?? 0) + 1 });
      }
      const { verdict, shadow } = row;
      addAnswers(matched, { verdict, shadow, count: 1 });
      if (result === 'overruled') overruled += 1;
      // A key in shadow mode answers the same, whatever an entry decides.
      const isChanged = result === 'decides' && verdict !== outcome && !shadow;
      const reported = reportedAs(row.feedback);
      if (reported !== null) {
        labelled[reported] += 1;
        if (isChanged) moves.push({ from: verdict, to: outcome, good: 0, fraud: 0, [reported]: 1 });
      }
      const examples = isChanged ? changed : same;
      if (examples.length < MAX_SAMPLES) examples.push(row);
    },
    /** Signups whose answer would have changed come first. */
    total() {
      const samples = [...changed, ...same].slice(0, MAX_SAMPLES).map(toAssessmentRow);
      return { matched, labelled, effect: labelEffectOf(moves), overruled, samples };
    },
  };
}
