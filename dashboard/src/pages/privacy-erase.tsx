/** Erases a person after a dialog that says what goes, what stays, and that it is final. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { PersonCounts } from '../../../src/contract/dashboard-privacy.ts';
import type { ApiProblem } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import styles from './privacy-page.module.css';
import type { PersonBody } from './privacy-search.tsx';
import { countWords, stayingWords } from './privacy-words.ts';

export interface EraseDialogProps {
  readonly person: PersonBody;
  readonly counts: PersonCounts;
  readonly erase: UseMutationResult<PersonCounts, ApiProblem, PersonBody>;
  onErased(): void;
  onClose(): void;
}

export function EraseDialog({ person, counts, erase, onErased, onClose }: EraseDialogProps) {
  return (
    <ChangeDialog
      change={erase}
      body={person}
      title={`Erase ${person.email}?`}
      verb="Erase for good"
      danger
      onDone={onErased}
      onClose={onClose}
    >
      <p>{countWords(counts)} are kept now. This cannot be undone.</p>
      <ul className={styles.consequences}>
        <li>
          Signups lose address, domain, IP, country, network, session and request ID. They can no longer be
          found or fetched.
        </li>
        <li>Notes in reports and entries on your lists are removed.</li>
        <li>Verdict, score, reasons and time stay, without the person: charts and credits do not change.</li>
        {stayingWords(counts) !== '' && <li>{stayingWords(counts)}</li>}
        <li>The audit log says that you erased a person, not whom.</li>
      </ul>
    </ChangeDialog>
  );
}
