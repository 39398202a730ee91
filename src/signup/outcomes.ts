/** Notes what became of signups, found by id or by the keyed hash of an address, and decides which outcomes are labels. */
import { parseEmail } from '../address/email.ts';
import type { Label } from '../contract/dashboard-assessments.ts';
import type { Verdict } from '../contract/messages.ts';
import { CAMPAIGN_FACT } from '../model/campaign.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { OUTCOME_AUTHOR, type SignupOutcome } from '../model/outcome.ts';
import { CHALLENGE_AUTHOR } from '../store/challenge-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { AnsweredClaim } from '../store/idempotency-store.ts';
import type { NewOutcome, OutcomeStore } from '../store/outcome-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { evidenceOf } from './rebuild-answer.ts';
import { type MemberReports, reportMember } from './report-member.ts';

/** Outcome of the signup with an id, or of the newest signups of an address. */
export type ReportedOutcome =
  | { readonly outcome: SignupOutcome; readonly requestId: string }
  | { readonly outcome: SignupOutcome; readonly email: string };

export interface OutcomeReporter {
  readonly accountId: string;
  /** A live key notes outcomes of live signups and of the sandbox's, by id; by address, each finds its own. */
  readonly mode: KeyMode;
  /** Id of the key or the hook. */
  readonly keyId: string;
}

export interface FoundOutcomes {
  readonly outcomes: readonly FoundOutcome[];
  /** Places of those that belong to no stored signup. */
  readonly unmatched: readonly number[];
}

interface FoundOutcome {
  readonly outcome: SignupOutcome;
  readonly stored: StoredAssessment;
}

export interface Outcomes {
  /** @throws Problem `unavailable` where too many look for signups */
  find(reported: readonly ReportedOutcome[], reporter: OutcomeReporter, now: number): Promise<FoundOutcomes>;
  /** The same outcome of a signup again changes nothing. */
  save(found: FoundOutcomes, reporter: OutcomeReporter, now: number, once?: AnsweredClaim): Promise<void>;
}

export interface OutcomesOptions {
  readonly store: OutcomeStore &
    Pick<HistoryStore, 'replayableAssessments'> &
    Pick<AssessmentStore, 'findStored' | 'findFeedback'> &
    MemberReports;
  /** Keyed hashes of an address and of its mailbox, under all keys. */
  readonly hashesOf: (address: string) => {
    readonly address: readonly string[];
    readonly mailbox: readonly string[];
  };
}

/** Signups of an address that an outcome is noted for, the newest. */
const MAX_SIGNUPS = 10;
/** Signups of its mailbox that are looked at: it may have several addresses. */
const MAX_LOOKED_AT = 50;
const ADDRESS_MEMORY_MS = 90 * 86_400_000;

export function createOutcomes({ store, hashesOf }: OutcomesOptions): Outcomes {
  async function findByAddress(email: string, { accountId, mode }: OutcomeReporter, now: number) {
    const address = parseEmail(email)?.address;
    if (address === undefined) return [];
    const hashes = hashesOf(address);
    const isOf = new Set(hashes.address);
    const found = new Map<string, StoredAssessment>();
    for (const mailbox of new Set(hashes.mailbox)) {
      const search = { mode, since: now - ADDRESS_MEMORY_MS, mailbox };
      for await (const chunk of store.replayableAssessments(accountId, search, MAX_LOOKED_AT))
        for (const { stored } of chunk) if (isOf.has(stored.addressHash)) found.set(stored.requestId, stored);
    }
    return [...found.values()].sort((a, b) => b.at - a.at).slice(0, MAX_SIGNUPS);
  }

  async function findSignups(reported: ReportedOutcome, reporter: OutcomeReporter, now: number) {
    if ('email' in reported) return findByAddress(reported.email, reporter, now);
    const stored = await store.findStored(reported.requestId, reporter);
    return stored === undefined ? [] : [stored];
  }

  return {
    async find(reported, reporter, now) {
      const outcomes: FoundOutcome[] = [];
      const unmatched: number[] = [];
      for (const [place, each] of reported.entries()) {
        const signups = await findSignups(each, reporter, now);
        if (signups.length === 0) unmatched.push(place);
        outcomes.push(...signups.map((stored) => ({ outcome: each.outcome, stored })));
      }
      return { outcomes, unmatched };
    },
    async save({ outcomes }, { accountId, keyId }, at, once) {
      const banned = new Set(outcomes.flatMap((each) => (each.outcome === 'banned' ? [idOf(each)] : [])));
      // A ban of the same batch counts more than money.
      for (const each of outcomes)
        if (each.outcome !== 'paid' || !banned.has(idOf(each)))
          await reportToOthers(store, each.stored, each.outcome, at);
      const noted = outcomes.map(({ outcome, stored }) => toNew(stored, outcome, { accountId, keyId, at }));
      await store.saveOutcomes(noted, once);
    },
  };
}

function idOf({ stored }: FoundOutcome): string {
  return stored.requestId;
}

/**
 * Label that an outcome gives to a signup with this verdict; `null`: none. Only money and a ban are labels. A program
 * confirms an address as well as a person does; a bounce may be a typing mistake, a complaint an honest person's.
 */
export function labelOf(outcome: SignupOutcome, verdict: Verdict): Label | null {
  if (outcome === 'paid') return verdict === 'allow' ? null : 'false_positive';
  if (outcome === 'banned') return verdict === 'allow' ? 'false_negative' : 'confirmed_fraud';
  return null;
}

/** Reports of the wave and of the mailbox that money and a ban are, unless a person or the application said something else. */
async function reportToOthers(
  store: OutcomesOptions['store'],
  stored: StoredAssessment,
  outcome: SignupOutcome,
  at: number,
): Promise<void> {
  if (outcome !== 'paid' && outcome !== 'banned') return;
  const known = await store.findFeedback(stored.requestId);
  const isOthers = known !== undefined && known.keyId !== CHALLENGE_AUTHOR && known.keyId !== OUTCOME_AUTHOR;
  // A later payment does not undo a ban.
  const isBanned = known?.keyId === OUTCOME_AUTHOR && known.outcome !== 'false_positive';
  if (isOthers || (outcome === 'paid' && isBanned)) return;
  await reportMember(store, stored, {
    outcome: outcome === 'paid' ? 'false_positive' : labelOf(outcome, stored.verdict),
    at,
  });
}

function toNew(
  stored: StoredAssessment,
  outcome: SignupOutcome,
  { accountId, keyId, at }: Pick<NewOutcome, 'accountId' | 'keyId' | 'at'>,
): NewOutcome {
  const { requestId, mode, facts, emailDomain: domain } = stored;
  const campaignId = facts.includes(`"${CAMPAIGN_FACT}"`) ? evidenceOf(stored).campaign?.id : undefined;
  return {
    requestId,
    accountId,
    mode,
    outcome,
    at,
    keyId,
    assessedAt: stored.at,
    domain,
    campaignId: campaignId ?? null,
    label: labelOf(outcome, stored.verdict),
  };
}
