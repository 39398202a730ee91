/** Decides what is remembered of mail hosts, and what that says of the domains they serve. */
import type { TextCache } from './cached-texts.ts';
import type { HostDecisions } from './mail-host-decisions.ts';
import { HOUR_MS, type HostRecord, type Observation, observe } from './mail-host-record.ts';
import { createHostRecords, type HostRecords } from './mail-host-records.ts';
import { type HostVerdict, judgeHost, servesOtherListed, type Views, viewsOf } from './mail-host-verdict.ts';

export interface HostReputation extends Pick<HostRecords, 'load' | 'flush' | 'close'> {
  /** Takes note of a domain that the hosts or the address of `key` serve. */
  observe(key: string, observation: Observation): void;
  /** For an account that judges a domain. */
  verdict(key: string, account: string, domain: string): HostVerdict;
  /** Whether anybody saw a listed domain there besides this one. */
  servesOtherListed(key: string, domain: string): boolean;
}

export interface HostReputationOptions {
  readonly texts: TextCache;
  readonly decisions: Pick<HostDecisions, 'generationOf'>;
  /** Fewest listed domains that flag a host for every account. */
  readonly minListed: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Keys in memory at most. */
  readonly capacity: number;
}

/** What a record says within an hour, until it changes. */
interface HourViews {
  readonly hour: number;
  readonly views: Views;
}

export function createHostReputation(options: HostReputationOptions): HostReputation {
  const { minListed, clock } = options;
  const records = createHostRecords(options);
  /** A look at every domain of a host costs too much for each signup. */
  const viewed = new WeakMap<HostRecord, HourViews>();
  const currentHour = () => Math.floor(clock() / HOUR_MS);

  function views(record: HostRecord, hour: number): Views {
    const known = viewed.get(record);
    if (known?.hour === hour) return known.views;
    const views = viewsOf(record, hour);
    viewed.set(record, { hour, views });
    return views;
  }

  return {
    observe(key, observation) {
      const entry = records.get(key);
      const change = observe(entry.record, observation, currentHour());
      if (change !== 'none') viewed.delete(entry.record);
      records.noteChange(key, entry, change);
    },
    verdict(key, account, domain) {
      const { record } = records.get(key);
      const hour = currentHour();
      return judgeHost(record, { account, domain, hour, minListed }, views(record, hour));
    },
    servesOtherListed(key, domain) {
      const { record } = records.get(key);
      const hour = currentHour();
      return servesOtherListed(record, domain, hour, views(record, hour));
    },
    load: (keys) => records.load(keys),
    flush: () => records.flush(),
    close: () => records.close(),
  };
}
