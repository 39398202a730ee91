/** Stores what is learned of campaigns: at once in this process, soon in the store, and never against a person's decision. */
import type { LearnedCampaign } from '../model/campaign.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { CampaignIndex } from './campaign-index.ts';

export interface CampaignRecorder {
  /** A campaign opened, or has new members; call it as often as that happens. Costs next to nothing, nobody waits for it. */
  learned(campaign: LearnedCampaign): void;
  /** Nobody came for long. Nothing happens where another node saw a newer member. */
  silent(campaign: Pick<LearnedCampaign, 'id' | 'lastAt'>): void;
  /** Stores what is not stored yet. */
  flush(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface CampaignRecorderOptions {
  readonly store: Pick<CampaignStore, 'saveLearned' | 'endSilent'>;
  readonly index: Pick<CampaignIndex, 'put'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onFault: (error: Error) => void;
}

/** Pause between two rounds of writes. */
const PAUSE_MS = 1_000;
/** Rounds in which a campaign that cannot be stored is tried: a minute. Its next member brings it again. */
const MAX_TRIES = 60;

interface Waiting {
  readonly campaign: Pick<LearnedCampaign, 'id' | 'lastAt'> | LearnedCampaign;
  readonly tries: number;
}

export function createCampaignRecorder(options: CampaignRecorderOptions): CampaignRecorder {
  const { store, index, clock, onFault } = options;
  /** The newest of each campaign. */
  let waiting = new Map<string, Waiting>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function save({ campaign, tries }: Waiting): Promise<void> {
    try {
      const { id, lastAt } = campaign;
      const saved =
        'key' in campaign
          ? await store.saveLearned(campaign)
          : await store.endSilent(id, { lastAt, at: clock() });
      if (saved !== undefined) index.put(saved);
    } catch (error) {
      if (tries === 0) onFault(error as Error);
      if (tries < MAX_TRIES && !waiting.has(campaign.id))
        waiting.set(campaign.id, { campaign, tries: tries + 1 });
    }
  }

  async function write(): Promise<void> {
    const round = waiting;
    waiting = new Map();
    for (const each of round.values()) await save(each);
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    learned: (campaign) => void waiting.set(campaign.id, { campaign, tries: 0 }),
    silent: ({ id, lastAt }) => void waiting.set(id, { campaign: { id, lastAt }, tries: 0 }),
    flush,
    start() {
      timer = setInterval(() => {
        if (waiting.size > 0) void flush();
      }, PAUSE_MS);
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}
