/** One destination: how it does, and the log of what was sent to it; each delivery can be sent again. */
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { DeliveriesPage, DestinationRow } from '../../../src/contract/dashboard-destinations.ts';
import type { ManageDelivery, ManageReplay } from '../../../src/contract/manage-destination-messages.ts';
import { useGet, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Fact } from '../ui/fact.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import styles from './notifications-page.module.css';
import { DELIVERY_WORDS, hourWord, KINDS, stateOf, typeWord } from './notifications-words.ts';

const REFRESH_MS = 5_000;
const PAGE = 50;
const MAX = 200;
const FILTERS = [
  { value: '', label: 'All deliveries' },
  ...Object.entries(DELIVERY_WORDS).map(([value, label]) => ({ value, label })),
];

export interface DestinationPanelProps {
  readonly id: string;
  /** `undefined`: the account has none with this id. */
  readonly destination: DestinationRow | undefined;
  onClose(): void;
}

export function DestinationPanel({ id, destination, onClose }: DestinationPanelProps) {
  return (
    <SidePanel title={destination?.name ?? 'Destination'} label="Destination" onClose={onClose}>
      {destination === undefined ? (
        <EmptyState title="This destination does not exist">Somebody may have removed it.</EmptyState>
      ) : (
        <>
          <Facts destination={destination} />
          <Deliveries key={id} id={id} />
        </>
      )}
    </SidePanel>
  );
}

function Facts({ destination }: { destination: DestinationRow }) {
  const { kind, address, types, verdicts, digest_hour: hour, old_secret_until } = destination;
  const { word, why } = stateOf(destination);
  return (
    <dl className={styles.facts}>
      <Fact name="State">
        {word}. {why}
      </Fact>
      <Fact name={KINDS[kind]}>
        {kind === 'webhook' ? <CopyText what="the URL" text={address} /> : address}
      </Fact>
      <Fact name="Events">
        {types.length === 0
          ? 'None'
          : types
              .map((type) =>
                type === 'signup.assessed' ? `${typeWord(type)}: ${verdicts.join(', ')}` : typeWord(type),
              )
              .join(' · ')}
      </Fact>
      {hour !== null && <Fact name="Daily summary">{hourWord(hour)}, where something needs a person</Fact>}
      {old_secret_until !== null && Date.parse(old_secret_until) > Date.now() && (
        <Fact name="Old secret">
          signs as well, until <RelativeTime at={old_secret_until} />
        </Fact>
      )}
    </dl>
  );
}

function Deliveries({ id }: { id: string }) {
  const { api } = useScope();
  const [state, setState] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const path = api(`destinations/${id}/deliveries`);
  const found = useGet<DeliveriesPage>(withQuery(path, { state, limit }), { live: REFRESH_MS });
  const replay = useSend<ManageReplay, { event: string }>(
    'POST',
    ({ event }) => `${path}/${encodeURIComponent(event)}/replay`,
    { refreshes: [api('destinations')] },
  );
  const rows = found.data?.data;
  return (
    <>
      <div className={styles.logHead}>
        <h3>Deliveries</h3>
        <NativeSelect
          size="xs"
          aria-label="Which deliveries"
          data={FILTERS}
          value={state}
          onChange={(event) => setState(event.currentTarget.value)}
        />
      </div>
      <ProblemNote error={replay.error} />
      {found.error !== null && rows === undefined && (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
      {rows?.length === 0 && (
        <EmptyState title={state === '' ? 'Nothing was sent yet' : 'No such delivery'}>
          Deliveries of the last 30 days are listed here.
        </EmptyState>
      )}
      <ul className={styles.log} aria-busy={rows === undefined}>
        {rows?.map((delivery) => (
          <Entry
            key={delivery.event_id}
            delivery={delivery}
            busy={replay.isPending}
            onReplay={() => replay.mutate({ event: delivery.event_id })}
          />
        ))}
      </ul>
      {found.data?.next != null &&
        (limit < MAX ? (
          <Button variant="default" size="xs" onClick={() => setLimit(MAX)}>
            Show more
          </Button>
        ) : (
          <p className="gh-faint">Only the newest {MAX} are shown. The API lists all.</p>
        ))}
    </>
  );
}

interface EntryProps {
  readonly delivery: ManageDelivery;
  readonly busy: boolean;
  onReplay(): void;
}

function Entry({ delivery, busy, onReplay }: EntryProps) {
  const { type, event_id, happened_at, state, tries, status, problem, next_try_at } = delivery;
  return (
    <li>
      <div className={styles.logLine}>
        <span className={styles.state} data-tone={TONES[state]}>
          {DELIVERY_WORDS[state]}
        </span>
        <span className={styles.what}>{typeWord(type)}</span>
        <RelativeTime at={happened_at} />
      </div>
      <div className={styles.logLine}>
        <span className={styles.why}>
          {tries === 1 ? '1 try' : `${tries} tries`}
          {status !== null && ` · answer ${status}`}
          {problem !== null && ` · ${problem}`}
          {next_try_at !== null && (
            <>
              {' '}
              · again <RelativeTime at={next_try_at} />
            </>
          )}
        </span>
        {state !== 'pending' && (
          <Button
            variant="default"
            size="compact-xs"
            disabled={busy}
            aria-label={`Send again: ${typeWord(type)}, ${event_id}`}
            onClick={onReplay}
          >
            Send again
          </Button>
        )}
      </div>
    </li>
  );
}

const TONES: Readonly<Record<ManageDelivery['state'], 'fine' | 'bad' | 'off'>> = {
  pending: 'off',
  delivered: 'fine',
  failed: 'bad',
  dropped: 'off',
};
