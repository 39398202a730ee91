/** Support: one field, "Who wrote to you?", and a plain answer with what to tell the customer. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SupportAnswer } from '../../../src/contract/dashboard-customer.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconSearch } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { usePastedAddress } from '../ui/pasted-address.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SupportCard } from './support-card.tsx';
import styles from './support-page.module.css';

export function SupportPage() {
  const { api } = useScope();
  const pasted = usePastedAddress();
  const [text, setText] = useState('');
  const find = useSend<SupportAnswer, { text: string }>('POST', api('support'));
  /** The last answer stays until the next one comes: what is said on it is not lost. */
  const [found, setFound] = useState<{ readonly sought: string; readonly answer: SupportAnswer }>();
  const ask = (wanted: string) => {
    const sought = wanted.trim();
    if (sought === '' || find.isPending) return;
    pasted.remember(sought);
    find.mutate(
      { text: sought },
      { onSuccess: (answer) => setFound({ sought, answer }), onError: () => setFound(undefined) },
    );
  };
  return (
    <div className={styles.page}>
      <PageHeader title="Who wrote to you?">
        Their email address, the reference that your page showed (req_…), or your session id.
      </PageHeader>
      <search>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            ask(text);
          }}
        >
          <TextInput
            aria-label="Address, request id or session id"
            placeholder="jane.doe@gmail.com"
            size="lg"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={18} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            // A pasted text is complete: nobody has to press Enter.
            onPaste={(event) => {
              const clip = event.clipboardData.getData('text').trim();
              if (text !== '' || clip === '') return;
              event.preventDefault();
              setText(clip);
              ask(clip);
            }}
          />
          <Button type="submit" size="lg" loading={find.isPending}>
            Find
          </Button>
        </form>
      </search>
      <ProblemNote error={find.error} />
      <div aria-live="polite">
        {found !== undefined && <Answer {...found} onChanged={() => ask(found.sought)} />}
      </div>
    </div>
  );
}

const NOTHING: Readonly<Record<SupportAnswer['by'], string>> = {
  address: 'Nobody signed up with this address, in any spelling. Ask them whether they used another one.',
  request: 'There is no signup with this reference. Ask them to copy it again.',
  session: 'There is no signup of this session. An email address has an @.',
};

interface AnswerProps {
  readonly answer: SupportAnswer;
  readonly sought: string;
  onChanged(): void;
}

function Answer({ answer: { by, signups, more }, sought, onChanged }: AnswerProps) {
  const [first, ...others] = signups;
  if (first === undefined) return <EmptyState title="Nobody found">{NOTHING[by]}</EmptyState>;
  const address = by === 'address' ? sought : undefined;
  return (
    <>
      <SupportCard key={first.request_id} signup={first} address={address} onChanged={onChanged} />
      {others.length > 0 && (
        <section aria-label="Earlier signups">
          <h2 className={styles.earlier}>{more ? 'The ten before' : 'Before that'}</h2>
          {others.map((signup) => (
            <SupportCard
              key={signup.request_id}
              signup={signup}
              address={undefined}
              isEarlier
              onChanged={onChanged}
            />
          ))}
        </section>
      )}
    </>
  );
}
