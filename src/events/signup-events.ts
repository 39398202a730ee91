/** Makes events of stored signups that a destination wants, behind their commit: nobody who signs up waits for it, and a kill loses none. */
import type { NewEvent } from '../model/event.ts';
import type { CommittedSignups } from '../store/committed-signups.ts';
import type { EventStore } from '../store/event-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';

export type SeenSignup = Pick<StoredAssessment, 'requestId' | 'accountId' | 'at' | 'verdict'>;

export interface SignupEvents {
  /** Reads what is new. @returns whether there may be more at once */
  step(): Promise<boolean>;
  close(): Promise<void>;
}

export interface SignupEventsOptions {
  readonly store: Pick<EventStore, 'wantedSignups' | 'saveSignupEvents'>;
  /** Follows live signups from an instant on. */
  readonly follow: (since: number) => Promise<CommittedSignups<SeenSignup>>;
}

/** Signups become visible so long after their time, at the latest: what was read before is read again, and stored once. */
const LATE_MS = 60_000;

export function createSignupEvents({ store, follow }: SignupEventsOptions): SignupEvents {
  let source: CommittedSignups<SeenSignup> | undefined;

  async function close(): Promise<void> {
    const closing = source;
    source = undefined;
    await closing?.close();
  }

  async function saveEventsOf(signups: readonly SeenSignup[] | null): Promise<boolean> {
    // Read after them: a destination that wants one of these is there by now.
    const wanted = await store.wantedSignups();
    if (wanted === undefined) {
      await close();
      return false;
    }
    if (signups === null) {
      // Another process follows, perhaps for days. This one begins where that one stopped.
      await close();
      return false;
    }
    if (signups.length === 0) return false;
    const events = signups
      .filter(({ accountId, verdict }) => wanted.verdicts.get(accountId)?.has(verdict) === true)
      .map(toEvent);
    await store.saveSignupEvents(events, Math.max(...signups.map(({ at }) => at)));
    return true;
  }

  return {
    async step() {
      if (source === undefined) {
        const wanted = await store.wantedSignups();
        if (wanted === undefined) return false;
        source = await follow(wanted.since - LATE_MS);
      }
      const signups = await source.next();
      try {
        return await saveEventsOf(signups);
      } catch (error) {
        // The same signups are read again.
        await close();
        throw error;
      }
    },
    close,
  };
}

export function toSeenSignup({
  requestId,
  accountId,
  at,
  verdict,
  mode,
}: StoredAssessment): SeenSignup | null {
  return mode === 'live' ? { requestId, accountId, at, verdict } : null;
}

function toEvent({ requestId, accountId, at, verdict }: SeenSignup): NewEvent {
  const id = `evt_${requestId.slice('req_'.length)}`;
  return { id, accountId, type: 'signup.assessed', object: requestId, at, data: {}, verdict };
}
