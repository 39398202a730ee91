/** The actions on one signup: real customer (`r`), fraud (`f`), Allow… and Block…; each can be taken back. */
import { Button, Kbd } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { later } from '../ui/later.tsx';
import { MeanwhileDialog } from '../ui/meanwhile-dialog.tsx';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useKey } from '../ui/use-key.ts';
import { useLabel } from './assessment-label.ts';
import { ListMenus } from './assessment-list-menu.tsx';
import styles from './assessment-view.module.css';

const RealCustomer = later(async () => (await import('./assessment-real-customer.tsx')).RealCustomer);

export function SignupActions({ detail }: { detail: AssessmentDetail }) {
  const { canList } = useScope();
  const { row } = detail;
  const [helping, setHelping] = useState(false);
  const label = useLabel({ ...row, version: detail.version });
  const help = () => setHelping(true);
  const isFraud = row.feedback === 'confirmed_fraud' || row.feedback === 'false_negative';
  const send = () =>
    label.mutate({ outcome: row.verdict === 'allow' ? 'false_negative' : 'confirmed_fraud', note: null });
  const fraud = () => {
    if (!label.isPending && !isFraud) send();
  };
  const place = useRef<HTMLDivElement>(null);
  useKey('r', help, place);
  useKey('f', fraud, place);
  return (
    <div ref={place} className={styles.listMenus}>
      <Button variant="default" size="xs" rightSection={<Kbd size="xs">r</Kbd>} onClick={help}>
        Real customer
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<Kbd size="xs">f</Kbd>}
        loading={label.isPending}
        disabled={isFraud}
        onClick={fraud}
      >
        Fraud
      </Button>
      {canList && <ListMenus row={row} />}
      {meanwhileOf(label.error) === undefined && <ProblemNote error={label.error} />}
      <MeanwhileDialog
        error={label.error}
        title="Report as fraud?"
        verb="Report as fraud"
        onSave={send}
        onYield={label.reset}
      />
      {helping && <RealCustomer detail={detail} onClose={() => setHelping(false)} />}
    </div>
  );
}
