/** Says that a signup comes from a shared office, or offers one where a burst is its main finding. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { later } from '../ui/later.tsx';
import styles from './assessment-view.module.css';
import { ListActionIcon } from './listing-action-icon.tsx';

const AddEntry = later(async () => (await import('./listing-add-entry.tsx')).AddEntry);

export function OfficeNote({ detail: { office, office_offer: offer } }: { detail: AssessmentDetail }) {
  const { canList } = useScope();
  if (office !== null && office.set_aside.length > 0)
    return (
      <p className={styles.office}>
        From your shared office <strong>{office.value}</strong>
        {office.reason !== '' && ` (${office.reason})`}, so this was not counted:{' '}
        {office.set_aside.join('; ')}.
      </p>
    );
  return offer !== null && canList ? <Offer value={offer} /> : null;
}

function Offer({ value }: { value: string }) {
  const [adding, setAdding] = useState(false);
  return (
    <div className={styles.office}>
      <p className={styles.officeWords}>
        Many people came together. If they are colleagues who share <strong>{value}</strong>, do not count
        that against them. Everything else still counts.
      </p>
      <Button
        variant="default"
        size="xs"
        leftSection={<ListActionIcon action="office" size={15} />}
        onClick={() => setAdding(true)}
      >
        Shared office…
      </Button>
      {adding && <AddEntry action="office" value={value} onClose={() => setAdding(false)} />}
    </div>
  );
}
