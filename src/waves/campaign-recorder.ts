/** Stores what is learned of campaigns and usual domains: at once in this process, soon in the store, and never against a person's decision. */
import type { Campaign, LearnedCampaign } from '../model/campaign.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { UsualDomainStore } from '../store/usual-domain-store.ts';
import type { CampaignIndex } from './campaign-index.ts';
import type { UsualIndex } from './usual-index.ts';

export interface CampaignRecorder {
  /** A campaign opened, or has new members; call it as often as that happens. Costs next to nothing, nobody waits for it. */
  learned(campaign: LearnedCampaign): void;
  /** Nobody came for long. Nothing happens where another node saw a newer member. */
  silent(campaign: Pick<LearnedCampaign, 'id' | 'lastAt'>): void;
  /** A domain became usual, has more people, or is usual no more. */
  usual(row: UsualDomain): void;
  /** Forgets what is not stored yet of an account that was deleted. */
  removeAccount(accountId: string): void;
  /** Stores what is not stored yet. */
  flush(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface CampaignRecorderOptions {
  readonly store: Pick<CampaignStore, 'saveLearned' | 'endSilent'> &
    Pick<UsualDomainStore, 'saveUsualDomain'>;
  readonly index: Pick<CampaignIndex, 'put'>;
  readonly usual: Pick<UsualIndex, 'put'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onFault: (error: Error) => void;
}

/** Pause between two rounds of writes; a campaign that was not stored yet is written at once, because its next members come now. */
const PAUSE_MS = 1_000;
/** Rounds in which what cannot be stored is tried: a minute. The next member brings it again. */
const MAX_TRIES = 60;

interface Waiting {
  readonly learned?: LearnedCampaign | undefined;
  /** Its newest member's time, where it is over: what was learned is stored before. */
  readonly silentSince?: number | undefined;
  readonly usual?: UsualDomain;
  readonly tries: number;
}

export function createCampaignRecorder(options: CampaignRecorderOptions): CampaignRecorder {
  const { onFault } = options;
  const save = createSave(options);
  /** The newest of each campaign and domain. */
  let waiting = new Map<string, Waiting>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Ids of open campaigns that this process stored. */
  const stored = new Set<string>();

  async function saveOrWait(id: string, each: Waiting): Promise<void> {
    try {
      await save(id, each);
      if (each.silentSince === undefined) stored.add(id);
      else stored.delete(id);
    } catch (error) {
      if (each.tries === 0) onFault(error as Error);
      if (each.tries < MAX_TRIES && !waiting.has(id)) waiting.set(id, { ...each, tries: each.tries + 1 });
    }
  }

  async function write(): Promise<void> {
    const round = waiting;
    waiting = new Map();
    for (const [id, each] of round) await saveOrWait(id, each);
  }

  async function writeSoon(): Promise<void> {
    await writing;
    await flush();
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    learned(learned) {
      waiting.set(learned.id, { learned, tries: 0 });
      if (timer !== undefined && !stored.has(learned.id)) void writeSoon();
    },
    silent({ id, lastAt }) {
      waiting.set(id, { learned: waiting.get(id)?.learned, silentSince: lastAt, tries: 0 });
    },
    removeAccount(accountId) {
      for (const [id, { learned, usual: row }] of waiting)
        if ((learned ?? row)?.accountId === accountId) waiting.delete(id);
    },
    usual: (row) => void waiting.set(`${row.accountId} ${row.domain}`, { usual: row, tries: 0 }),
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

/** Stores one, and lets this process know it as it is stored. */
function createSave({ store, index, usual, clock }: CampaignRecorderOptions) {
  const put = (saved: Campaign | undefined) => {
    if (saved !== undefined) index.put(saved);
  };
  return async (id: string, { learned, silentSince, usual: row }: Waiting): Promise<void> => {
    if (row !== undefined) {
      const saved = await store.saveUsualDomain(row);
      if (saved !== undefined) usual.put(saved);
      return;
    }
    if (learned !== undefined) put(await store.saveLearned(learned));
    if (silentSince !== undefined) put(await store.endSilent(id, { lastAt: silentSince, at: clock() }));
  };
}
