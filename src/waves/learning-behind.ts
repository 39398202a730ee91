/** Starts the thread that learns waves behind the commit, and passes on to it what people decide. */
import type { Logger } from 'pino';
import type { Campaign } from '../model/campaign.ts';
import { type StartThread, startThread } from '../platform/thread.ts';
import { asStoreFailure } from '../store/store-failure.ts';
import type { CampaignRecorder } from './campaign-recorder.ts';
import type { LearningData, LearningEvent, LearningOrder } from './live-learning.ts';
import type { MailboxRecorder } from './mailbox-recorder.ts';

export interface LearningBehindOptions {
  /** Module of the thread; it gets `place` beside `LearningData`. */
  readonly thread: { readonly module: URL; readonly place: object };
  readonly recorder: Pick<CampaignRecorder, 'learned' | 'silent' | 'usual'>;
  readonly mailboxes: Pick<MailboxRecorder, 'learned'>;
  readonly data: () => LearningData;
  readonly log: Logger;
  readonly onDeath: StartThread['onDeath'];
}

export interface LearningBehind {
  /** Something was committed; call it as often as that happens. */
  committed(): void;
  /** A campaign as it is stored now. */
  noteStored(campaign: Campaign): void;
  removeAccount(accountId: string): void;
  start(): void;
  close(): Promise<void>;
}

/** Commits within that time are one. */
const GATHER_MS = 20;
/** The start of a service has better things to do. */
const START_MS = 2_000;
const CLOSE_MS = 5_000;
/** More would not make it faster, and stays taken when it is over. */
const YOUNG_MEGABYTES = 6;

export function createLearningBehind(options: LearningBehindOptions): LearningBehind {
  const {
    thread: { module, place },
    recorder,
    mailboxes,
    data,
    log,
    onDeath,
  } = options;
  let thread: ReturnType<typeof startThread> | undefined;
  let waking: NodeJS.Timeout | undefined;
  /** State that the thread knows of each campaign that is open, or that people ended. */
  const told = new Map<string, string>();

  const logFault = (error: Error) => log.error({ err: error }, 'waves of signups are not learned for now');
  const post = (order: LearningOrder) => void (thread?.isRunning() === true && thread.post(order));

  function handle(event: LearningEvent): void {
    if (event.kind === 'fault') {
      if (event.isStoreAway) logFault(asStoreFailure(new Error(event.why)));
      else log.error(`waves of signups are not learned for now: ${event.why}`);
      return;
    }
    for (const campaign of event.learned.changed) recorder.learned(campaign);
    for (const each of event.learned.silent) recorder.silent(each);
    for (const row of event.learned.usual) recorder.usual(row);
    mailboxes.learned(event.learned.addresses);
  }

  return {
    committed() {
      waking ??= setTimeout(() => {
        waking = undefined;
        post('wake');
      }, GATHER_MS).unref();
    },
    noteStored(campaign) {
      const { id, state, decision, ended } = campaign;
      const standing = `${state} ${decision} ${ended?.reason}`;
      if (told.get(id) === standing) return;
      const isSilent = ended?.reason === 'silence' && decision !== 'dismissed';
      if (isSilent) told.delete(id);
      else told.set(id, standing);
      if (!isSilent) post({ decided: campaign });
    },
    removeAccount: (accountId) => post({ removed: accountId }),
    start() {
      thread = startThread({
        name: 'waves',
        module,
        workerData: () => ({ ...place, ...data() }),
        startMs: START_MS,
        closeMs: CLOSE_MS,
        youngMegabytes: YOUNG_MEGABYTES,
        onMessage: (event) => handle(event as LearningEvent),
        onFault: logFault,
        onDeath,
      });
    },
    async close() {
      clearTimeout(waking);
      await thread?.close();
    },
  };
}
