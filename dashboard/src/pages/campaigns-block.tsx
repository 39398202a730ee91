/** Ends an attack: the smallest ranges and domains that cover it, with the others in them, labels for those who got in, and their list. */
import { Checkbox, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type {
  AttackCard,
  AttackDone,
  BlockBody,
  BlockPlace,
  BlockProposal,
} from '../../../src/contract/dashboard-attacks.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { download } from '../ui/download.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import styles from './campaigns-page.module.css';
import { csvOf, REFRESHED } from './campaigns-refreshed.ts';
import { expiryOf, LENGTHS } from './listing-expiry.ts';

export interface BlockAttackProps {
  readonly card: AttackCard;
  /** Called with a sentence on what was done. */
  onDone(text: string): void;
  onClose(): void;
}

/** An attack comes from elsewhere a week later. */
const USUAL_DAYS = '7';

export function BlockAttack({ card, onDone, onClose }: BlockAttackProps) {
  const { api } = useScope();
  const { id, let_in: letIn } = card;
  const { data: proposal, error } = useGet<BlockProposal>(api(`attacks/${id}/block`));
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [refused, setRefused] = useState<AttackDone['refused']>([]);
  useEffect(() => {
    if (proposal === undefined || chosen !== undefined) return;
    setChosen(new Set(proposal.places.flatMap((place) => (place.chosen ? [place.value] : []))));
  }, [proposal, chosen]);
  const values = [...(chosen ?? [])];
  const change = useSend<AttackDone, BlockBody>('POST', api(`attacks/${id}/block`), {
    refreshes: REFRESHED.map(api),
    onSaved(done) {
      if (form.values.list && letIn > 0) download(csvOf(api, card));
      setRefused(done.refused);
      if (done.refused.length === 0) onDone(doneIn(done));
    },
  });
  const form = useForm({
    values: { reason: card.name, days: USUAL_DAYS, report: true, list: true },
    change,
    body({ reason, days, report }): BlockBody {
      return { values, reason: reason.trim(), expires_at: expiryOf(days) ?? null, report };
    },
    onDone: () => undefined,
    onClose,
  });
  const { report, list } = form.values;
  const isReady = proposal !== undefined && (values.length > 0 || proposal.confirms || report);
  return (
    <FormDialog
      form={form}
      title="Block this attack"
      verb={letIn > 0 && list ? `Block and list the ${grouped(letIn)}` : 'Block'}
      danger
      disabled={!isReady || refused.length > 0}
      size="lg"
    >
      {error !== null && proposal === undefined && <p role="alert">{error.message}</p>}
      {proposal === undefined && error === null && (
        <p aria-busy="true">Looking for who else comes from there…</p>
      )}
      {proposal !== undefined && (
        <Places
          proposal={proposal}
          chosen={chosen ?? new Set()}
          onToggle={(value) =>
            setChosen(
              new Set(
                values.includes(value) ? values.filter((other) => other !== value) : [...values, value],
              ),
            )
          }
        />
      )}
      <Fields form={form} card={card} />
      {refused.map(({ value, message }) => (
        <p key={value} role="alert">
          <span className="gh-mono">{value}</span>: {message}
        </p>
      ))}
    </FormDialog>
  );
}

interface Values {
  readonly reason: string;
  readonly days: string;
  readonly report: boolean;
  readonly list: boolean;
}

function Fields({ form, card }: { form: FormBinding<Values, BlockBody>; card: AttackCard }) {
  return (
    <>
      <TextInput
        label="Reason"
        description="Shown wherever these entries decide."
        required
        maxLength={200}
        {...form.text('reason')}
      />
      <Select
        label="Expires"
        allowDeselect={false}
        withScrollArea={false}
        data={LENGTHS}
        value={form.values.days}
        onChange={(next) => form.set({ days: next ?? USUAL_DAYS })}
        error={form.errorOf('expires_at')}
      />
      <Checkbox
        label={`Label those who got in as fraud (${grouped(card.unreported)})`}
        checked={form.values.report}
        onChange={(event) => form.set({ report: event.currentTarget.checked })}
      />
      <Checkbox
        label={`Take the list of who got in as CSV (${grouped(card.let_in)})`}
        checked={form.values.list}
        onChange={(event) => form.set({ list: event.currentTarget.checked })}
      />
    </>
  );
}

interface PlacesProps {
  readonly proposal: BlockProposal;
  readonly chosen: ReadonlySet<string>;
  onToggle(value: string): void;
}

function Places({ proposal: { places, total, covered, confirms }, chosen, onToggle }: PlacesProps) {
  return (
    <>
      {confirms && <p>Its pattern is blocked from now on, wherever it comes from.</p>}
      {places.length === 0 ? (
        <p>No range and no domain covers it without stopping many others.</p>
      ) : (
        <ul className={styles.places} aria-label="Entries">
          {places.map((place) => (
            <li key={place.value}>
              <Checkbox
                size="xs"
                checked={chosen.has(place.value)}
                onChange={() => onToggle(place.value)}
                label={
                  <>
                    <span className="gh-mono">{place.value}</span>{' '}
                    <span className="gh-dim">
                      {grouped(place.covers)} of {grouped(total)}
                    </span>
                  </>
                }
              />
              <span className={styles.others}>{othersIn(place)}</span>
            </li>
          ))}
        </ul>
      )}
      <FormHint>
        The suggested entries cover {grouped(covered)} of {grouped(total)}. They never name a domain that
        strangers share, nor a place with more than one other signup for each four of the attack.
      </FormHint>
    </>
  );
}

function othersIn({ others, others_let_in: letIn, good, fraud, examples }: BlockPlace): string {
  if (others === 0) return 'nobody else in 30 days';
  const names =
    examples.length === 0 ? '' : `: ${examples.join(', ')}${others > examples.length ? ', …' : ''}`;
  return `${pluralize(others, 'other')} in 30 days (${grouped(letIn)} got in; labels: ${grouped(good)} good, ${grouped(fraud)} fraud)${names}`;
}

function doneIn({ entries, confirmed, reported, left }: AttackDone): string {
  const parts = [
    ...(entries > 0 ? [`added ${pluralize(entries, 'entry', 'entries')} to the Block list`] : []),
    ...(confirmed ? ['blocked its pattern'] : []),
    ...(reported > 0 ? [`labelled ${pluralize(reported, 'signup')} as fraud`] : []),
  ];
  const text = parts.length === 0 ? 'nothing had to be changed' : parts.join(', ');
  const more = left === 0 ? '' : ` ${grouped(left)} are left without a label.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.${more}`;
}
