/** The first run's checklist: send a request, see it here, call Gatehouse from the signup form, invite a colleague. */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { CreatedKey, FirstSteps } from '../../../src/contract/dashboard-account.ts';
import { LIVE_MS, useGet } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { IconCircle, IconCircleCheckFilled } from '../ui/icons.ts';
import styles from './today-first-run.module.css';
import { RunStep } from './today-first-run-command.tsx';
import { InviteStep, SeeStep, SignupStep } from './today-first-run-steps.tsx';
import {
  keepVisibility,
  readVisibility,
  type StepId,
  stepsOf,
  type Visibility,
} from './today-first-steps.ts';

const WORDS: Readonly<Record<StepId, string>> = {
  run: 'Send a first request',
  see: 'See it here',
  signup: 'Call Gatehouse from your signup form',
  invite: 'Invite a colleague',
};

/** Shows nothing once everything is done or the list is hidden. */
export function FirstRun({ hidden, onHide }: { hidden: boolean; onHide: () => void }) {
  const { account, api } = useScope();
  const [complete, setComplete] = useState(false);
  const { data } = useGet<FirstSteps>(hidden ? null : api('first-steps'), complete ? {} : { live: LIVE_MS });
  const [created, setCreated] = useState<CreatedKey>();
  const steps = data && stepsOf(data);
  const open = steps?.filter(({ done }) => !done) ?? [];
  const allDone = steps !== undefined && open.length === 0;
  useEffect(() => {
    if (!allDone) return;
    setComplete(true);
    // The next visit needs no request.
    keepVisibility(account.id, 'done');
  }, [allDone, account.id]);
  // A key that is shown only once stays visible until the person leaves.
  if (hidden || data === undefined || steps === undefined || (allDone && created === undefined)) return null;
  const bodies: Readonly<Record<StepId, ReactNode>> = {
    run: <RunStep created={created} onCreated={setCreated} />,
    see: <SeeStep steps={data} />,
    signup: <SignupStep />,
    invite: <InviteStep invited={data.invited} />,
  };
  // After the command was shown, its two steps stay side by side.
  const isOpen = (id: StepId) =>
    id === open[0]?.id || (created !== undefined && (id === 'run' || id === 'see'));
  return (
    <Card
      title="First steps"
      note={`${steps.length - open.length} of ${steps.length} done`}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onHide}>
          Hide
        </Button>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ id, done }) => (
          <li key={id} className={styles.step} data-done={done || undefined}>
            {done ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
            <div className={styles.content}>
              <h3>
                {WORDS[id]}
                <span className="gh-hidden">{done ? ' (done)' : ' (to do)'}</span>
              </h3>
              {(isOpen(id) || (id === 'see' && done)) && <div className={styles.body}>{bodies[id]}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Whether the list is shown in this browser, and how to change that. */
export function useVisibility(accountId: string): [Visibility, (visibility: Visibility) => void] {
  const [visibility, setVisibility] = useState(() => readVisibility(accountId));
  return [
    visibility,
    (next) => {
      keepVisibility(accountId, next);
      setVisibility(next);
    },
  ];
}
