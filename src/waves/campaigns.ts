/** Decides what a process does about campaigns: follow them, look attempts up in them, store what is learned, remove old ones. */
import type { Logger } from 'pino';
import type { GatherOptions } from '../evidence/gather.ts';
import { UNDO_MS } from '../model/attack.ts';
import type { Campaign } from '../model/campaign.ts';
import { USUAL_PAUSE_MS } from '../model/usual-domain.ts';
import type { Clocks } from '../platform/steady-clock.ts';
import type { AppealStore } from '../store/appeal-store.ts';
import type { AttackActionStore } from '../store/attack-action-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import { createPruner, type Prune, type Pruner } from '../store/pruner.ts';
import { keptFrom, type Retention } from '../store/retention.ts';
import type { UsualDomainStore } from '../store/usual-domain-store.ts';
import { type CampaignEvent, type CampaignIndex, createCampaignIndex } from './campaign-index.ts';
import { createCampaignRecorder } from './campaign-recorder.ts';
import { createLearningBehind, type LearningBehindOptions } from './learning-behind.ts';
import { type MemberKeys, memberKeys } from './member-keys.ts';
import { createUsualIndex } from './usual-index.ts';

export interface CampaignsOptions {
  readonly store: Pick<
    CampaignStore,
    | 'campaignsVersion'
    | 'campaignChangesSince'
    | 'saveLearned'
    | 'endSilent'
    | 'pruneCampaigns'
    | 'blankOldCampaigns'
  > &
    Pick<AttackActionStore, 'pruneAttackActions'> &
    Pick<AppealStore, 'pruneAppeals'> &
    Pick<OutcomeStore, 'pruneOutcomes'> &
    UsualDomainStore;
  readonly clocks: Pick<Clocks, 'wall' | 'patient'>;
  readonly log: Logger;
  readonly metrics: { campaignsOpen(count: number): void };
  /** Time that ended campaigns are kept; `null`: for ever. */
  readonly retention: Retention | null;
  /** Days that names of networks are kept; `null`: as long as the campaign. */
  readonly config: { readonly retentionPersonalDays: number | null };
  /** Thread that learns, and where it finds its signups. Without it nothing is learned. */
  readonly learning?: {
    readonly thread: LearningBehindOptions['thread'];
    readonly pollMs: number;
    /** Days that addresses of mailboxes count; 0: they are not learned. */
    readonly mailboxDays: number;
    readonly mailboxes: LearningBehindOptions['mailboxes'];
    readonly onDeath: LearningBehindOptions['onDeath'];
  };
  /** Default: the keys of scopes alone. */
  readonly keysOf?: MemberKeys;
}

export interface Campaigns extends Pick<CampaignIndex, 'refresh' | 'removeAccount'> {
  readonly find: NonNullable<GatherOptions['campaigns']>['find'];
  /** Something was committed; call it as often as that happens. */
  committed(): void;
  readonly usual: NonNullable<GatherOptions['campaigns']>['usual'];
  /** Reads what is stored, and begins to store and to remove. @throws when it cannot be read */
  start(): Promise<void>;
  close(): Promise<void>;
}

const EVENTS: Readonly<Record<CampaignEvent, string>> = {
  opened: 'a wave of signups began: its next members are challenged',
  sure: 'a wave of signups is sure now: its next members are blocked',
  ended: 'a wave of signups ended',
};

export function createCampaigns(options: CampaignsOptions): Campaigns {
  const { store, clocks, log, metrics, learning, keysOf = memberKeys } = options;
  const usual = createUsualIndex();
  const index = createCampaignIndex({
    source: store,
    usual,
    onEvent: (event, campaign) => log.warn(describe(campaign), EVENTS[event]),
    onStored: (campaign) => behind?.noteStored(campaign),
  });
  const recorder = createCampaignRecorder({
    store,
    index,
    usual,
    clock: clocks.wall,
    onFault: (error) =>
      log.error({ err: error }, 'a wave of signups could not be stored yet; it is tried again'),
  });
  let isFirst = false;
  const behind =
    learning &&
    createLearningBehind({
      ...learning,
      recorder,
      log,
      data: () => ({
        standing: index.standing(),
        usual: [...usual.all()],
        isFirst: isFirst && index.standing().length === 0,
        pollMs: learning.pollMs,
        mailboxDays: learning.mailboxDays,
      }),
    });
  const pruner = createCleaning(options);

  async function refresh(): Promise<void> {
    await index.refresh();
    metrics.campaignsOpen(index.countOpen());
  }

  return {
    // A person whom somebody brings belongs to no wave.
    find: (subject, email, ip) =>
      subject.broughtBy ? null : index.find(subject.account, (kinds) => keysOf(subject, email, ip, kinds)),
    usual: usual.find,
    committed: () => behind?.committed(),
    refresh,
    removeAccount(accountId) {
      index.removeAccount(accountId);
      usual.removeAccount(accountId);
      recorder.removeAccount(accountId);
      behind?.removeAccount(accountId);
    },
    async start() {
      isFirst = (await store.campaignsVersion()) === 0;
      await refresh();
      recorder.start();
      pruner.start();
      behind?.start();
    },
    async close() {
      await behind?.close();
      await pruner.close();
      await recorder.close();
    },
  };
}

/** Fields of a log line: nothing of a person, so no address. */
function describe(campaign: Campaign) {
  const {
    id,
    accountId: account,
    scope,
    scopeText,
    mark,
    members,
    decades,
    families,
    ended,
    decision,
  } = campaign;
  const place = scope === 'address' || scopeText === '' ? {} : { place: scopeText };
  const end = ended === null ? {} : { reason: ended.reason };
  return {
    campaign: id,
    account,
    scope,
    ...place,
    mark,
    members,
    decades,
    families,
    ...end,
    ...(decision && { decision }),
  };
}

const PRUNE_MS = 60_000;

function createCleaning(options: CampaignsOptions): Pruner {
  return createPruner({
    prune: pruneCampaigns(options),
    random: Math.random,
    onFault: (error) => options.log.error({ err: error }, 'expired rows could not be removed'),
    idleMs: PRUNE_MS,
  });
}

function pruneCampaigns({ store, clocks, retention, config }: CampaignsOptions): Prune {
  const { retentionPersonalDays: personalDays } = config;
  return async (maxPruned) => {
    const now = Math.min(clocks.patient(), clocks.wall());
    const from = retention === null ? null : keptFrom(retention, now);
    const removed = from === null ? 0 : await store.pruneCampaigns(from, maxPruned);
    const before = personalDays === null ? null : keptFrom({ days: personalDays }, now);
    const blanked = before === null ? 0 : await store.blankOldCampaigns(before, maxPruned);
    const forgotten = await store.pruneUsualDomains(Math.max(from ?? 0, now - USUAL_PAUSE_MS), maxPruned);
    const expired = await store.pruneAttackActions(now - UNDO_MS, maxPruned);
    const over = await store.pruneAppeals(now, maxPruned);
    const outcomes = from === null ? 0 : await store.pruneOutcomes(from, maxPruned);
    return Math.max(removed, blanked, forgotten, expired, over, outcomes);
  };
}
