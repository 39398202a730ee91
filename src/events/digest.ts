/** Decides when an account's daily summary is due, and what is in it: only what needs a person, and nothing where nothing does. */
import { findRequests, type RequestStore } from '../accounts/customer-requests.ts';
import type { Directory } from '../accounts/directory.ts';
import { messageOf } from '../alerts/alert-words.ts';
import { dueDay } from '../platform/due-day.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { EventStore } from '../store/event-store.ts';
import type { ListStore } from '../store/store.ts';
import type { DigestItem } from './mail-body.ts';
import { accountPath } from './sentence.ts';

export interface DigestOptions {
  readonly store: Pick<EventStore, 'digestDestinations' | 'saveDigest' | 'skipDigest'> &
    Pick<AlertStore, 'alerts'> &
    Pick<ListStore, 'expiringEntries'> &
    RequestStore;
  readonly directory: Pick<Directory, 'keysOf' | 'hooksOf'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const DAY_MS = 86_400_000;
const MAX_ITEMS = 20;
/** List entries that are looked at, those with the most hits first. */
const MAX_ENTRIES = 100;
/** Signups that an entry has decided, from which on somebody would miss it. */
const MIN_HITS = 20;

/** @returns makes the summaries that are due, each once, whichever node comes first */
export function createDigests(options: DigestOptions): () => Promise<void> {
  const { store, clock } = options;
  return async () => {
    const now = clock();
    for (const destination of await store.digestDestinations()) {
      const day = dueDay(destination, now);
      if (day === undefined) continue;
      const { id: destinationId, accountId } = destination;
      const items = await findItems(accountId, now, options);
      if (items.length === 0) {
        await store.skipDigest(destinationId, day);
        continue;
      }
      const data = { day, count: items.length, items: items.slice(0, MAX_ITEMS) };
      await store.saveDigest({ destinationId, accountId, type: 'digest', at: now, data }, day);
    }
  };
}

async function findItems(
  accountId: string,
  now: number,
  { store, directory }: DigestOptions,
): Promise<DigestItem[]> {
  const path = (page: string) => accountPath(accountId, page);
  const owners = [...directory.keysOf(accountId), ...directory.hooksOf(accountId)];
  const nameOf = (id: string) => owners.find((owner) => owner.id === id)?.name;
  // Open alerts are also those of the quota, of waves without a decision, and of sources and feeds.
  const { alerts } = await store.alerts(accountId, { state: 'open', limit: MAX_ITEMS });
  const open = (await findRequests(store, accountId, now)).filter(({ done }) => done === undefined);
  const ends = await store.expiringEntries(accountId, now, now + DAY_MS, MAX_ENTRIES);
  const ending = ends.filter(({ hits }) => hits >= MIN_HITS).length;
  return [
    ...alerts.map((alert) => ({
      text: String(messageOf(alert, nameOf).text),
      path: path(`alerts/${alert.id}`),
    })),
    ...(open.length === 0
      ? []
      : [
          {
            text: `${counted(open.length, 'customer')} to be let in, as a member asks.`,
            path: path('feedback'),
          },
        ]),
    ...(ending === 0
      ? []
      : [
          {
            text: `${counted(ending, 'list entry', 'list entries')} with many hits will expire within a day.`,
            path: path('lists'),
          },
        ]),
  ];
}

function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
