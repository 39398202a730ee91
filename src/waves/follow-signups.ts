/** Learns waves behind the commit, of what any process stored: first of the last weeks, then of each signup soon after its commit. */
import type { Campaign, LearnedCampaign } from '../model/campaign.ts';
import type { MailboxUse } from '../model/mailbox-address.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { WaveLearner } from './learner.ts';
import { MAILBOX_BYTES, MailboxLearner } from './mailbox-learner.ts';
import type { WaveMember } from './wave-member.ts';

/** Changes that are to be stored. */
export interface LearnedWaves {
  /** Campaigns that opened, or have new members. */
  readonly changed: readonly LearnedCampaign[];
  /** Campaigns to which nobody came for long. */
  readonly silent: readonly Pick<LearnedCampaign, 'id' | 'lastAt'>[];
  /** Domains that became usual, have more people, or are usual no more. */
  readonly usual: readonly UsualDomain[];
  /** Addresses of mailboxes that have several. */
  readonly addresses: readonly MailboxUse[];
}

export interface FollowerOptions {
  /** Members in order of commit; an empty list: none for now. `null`: another process learns. */
  readonly next: () => Promise<readonly WaveMember[] | null>;
  /** Stored campaigns that are open, or ended otherwise than by silence. */
  readonly standing: readonly Campaign[];
  /** Usual domains, as they are stored. */
  readonly usual: readonly UsualDomain[];
  /** Whether nothing was ever stored: then waves that are over by now are news, too. */
  readonly isFirst: boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly tell: (learned: LearnedWaves) => void;
  /** Memory, bytes. */
  readonly bytes: number;
  /** Days that addresses of mailboxes count; 0: they are not learned. */
  readonly mailboxDays: number;
  /** Pause between two reports of how campaigns grow and end; one that opens is told at once. Default 0 ms. */
  readonly growthMs?: number;
  /** Milliseconds of any origin. */
  readonly stopwatch?: () => number;
}

/** Members that are read together: then there are more. */
const MANY = 128;

export interface WaveFollower {
  /** Learns of the next few signups. Returns whether there may be more at once. @throws when they cannot be read */
  step(): Promise<boolean>;
  /** Takes over what people, or reports of theirs, decided about a campaign. */
  decided(campaign: Campaign): void;
  removeAccount(accountId: string): void;
}

const NOTHING: LearnedWaves = { changed: [], silent: [], usual: [], addresses: [] };

export function createWaveFollower(options: FollowerOptions): WaveFollower {
  const { next, clock, tell, isFirst, bytes, mailboxDays, growthMs = 0 } = options;
  const { stopwatch = () => performance.now() } = options;
  const learner = new WaveLearner({ bytes, usual: options.usual });
  const mailboxes = new MailboxLearner({ days: mailboxDays, bytes: MAILBOX_BYTES });
  const stored = createStoredCampaigns(learner, options);
  let isBehind = true;
  let toldAt = Number.NEGATIVE_INFINITY;

  /** Everything that was stored before is learned. */
  function catchUp(): void {
    isBehind = false;
    stored.closeUpTo(Number.POSITIVE_INFINITY);
    const over = learner.takeEnded(clock());
    const changed = learner.takeChanged();
    const overIds = new Set(over.map(({ id }) => id));
    const silent = [...(isFirst ? over : []), ...stored.goOn(over)];
    const news = isFirst ? changed : changed.filter(({ id }) => !overIds.has(id));
    tell({ ...NOTHING, changed: news, silent, usual: learner.takeUsual() });
  }

  /** Campaigns that opened, at once; the rest, now and then. */
  function takeLearned(): Omit<LearnedWaves, 'addresses'> {
    const now = stopwatch();
    if (now - toldAt < growthMs) return { ...NOTHING, changed: learner.takeOpened() };
    toldAt = now;
    const silent = learner.takeEnded(clock()).map(({ id, lastAt }) => ({ id, lastAt }));
    return { changed: learner.takeChanged(), silent, usual: learner.takeUsual() };
  }

  return {
    async step() {
      const members = await next();
      if (members === null) return false;
      for (const member of members) {
        if (isBehind) stored.closeUpTo(member.at);
        learner.learn(member);
        if (mailboxDays > 0) mailboxes.learn(member);
      }
      const addresses = mailboxes.takeChanged();
      if (members.length > 0 && isBehind) {
        if (addresses.length > 0) tell({ ...NOTHING, addresses });
        return true;
      }
      if (isBehind) catchUp();
      const learned = { ...takeLearned(), addresses };
      if (Object.values(learned).some((each) => each.length > 0)) tell(learned);
      return members.length >= MANY;
    },
    decided(campaign) {
      stored.note(campaign);
      if (campaign.state === 'ended') stored.close(campaign);
      if (!isBehind) stored.goOn([]);
    },
    removeAccount(accountId) {
      learner.removeAccount(accountId);
      stored.removeAccount(accountId);
    },
  };
}

/** Campaigns as they were stored when this began, and what was decided about them since: the learner is told at the right time. */
function createStoredCampaigns(
  learner: WaveLearner,
  { standing, clock }: Pick<FollowerOptions, 'standing' | 'clock'>,
) {
  /** Open ones that the learner does not know yet. */
  const open = new Map<string, Campaign>();
  /** Campaigns that people ended, oldest end first. */
  let closed = standing
    .filter(({ state }) => state === 'ended')
    .sort((a, b) => (a.ended?.at ?? 0) - (b.ended?.at ?? 0));

  function note(campaign: Campaign): void {
    const { id, accountId, key, decision, state } = campaign;
    learner.dismiss(accountId, key, decision === 'dismissed');
    if (state === 'open') open.set(id, campaign);
    else open.delete(id);
  }

  const close = ({ accountId, key, ended }: Campaign) => learner.close(accountId, key, ended?.at ?? clock());

  for (const campaign of standing) note(campaign);
  return {
    note,
    close,
    /** Closes what people ended before the signups that are learned now. */
    closeUpTo(at: number): void {
      while (closed[0]?.ended != null && closed[0].ended.at <= at) close(closed.shift() as Campaign);
    },
    /**
     * Returns the ends of those that were learned again, and are over. The others go on as stored: of members that came before
     * the last weeks nothing is learned.
     */
    goOn(over: readonly LearnedCampaign[]): LearnedWaves['silent'] {
      const ends = [...open.values()].flatMap((each) => endOf(each, over));
      for (const { id } of ends) open.delete(id);
      for (const campaign of open.values()) learner.resume(campaign);
      open.clear();
      return ends;
    },
    removeAccount(accountId: string): void {
      for (const { id, accountId: own } of open.values()) if (own === accountId) open.delete(id);
      closed = closed.filter((campaign) => campaign.accountId !== accountId);
    },
  };
}

/** The end of a stored campaign that was found again, and found to be over. */
function endOf(
  { id, accountId, key, lastAt }: Campaign,
  over: readonly LearnedCampaign[],
): Pick<LearnedCampaign, 'id' | 'lastAt'>[] {
  const again = over.filter(
    (each) => each.accountId === accountId && each.key === key && each.lastAt >= lastAt,
  );
  return again.length === 0 ? [] : [{ id, lastAt: Math.max(...again.map((each) => each.lastAt)) }];
}
