/** Two buttons, Allow… and Block…: each offers the values of the signup, from the narrowest to the widest. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { type ListedSubject, subjectsOf } from './assessment-subjects.ts';
import styles from './assessment-view.module.css';
import { ListActionIcon } from './listing-action-icon.tsx';
import { ACTIONS } from './listing-kinds.ts';

const AddEntry = later(async () => (await import('./listing-add-entry.tsx')).AddEntry);

type Action = ListEntryRow['action'];

export function ListMenus({ row }: { row: AssessmentRow }) {
  const [chosen, setChosen] = useState<{ action: Action; subject: ListedSubject }>();
  return (
    <div className={styles.listMenus}>
      {(['allow', 'deny'] as const).map((action) => (
        <ListMenu
          key={action}
          action={action}
          subjects={subjectsOf(row)}
          onChoose={(subject) => setChosen({ action, subject })}
        />
      ))}
      {chosen !== undefined && (
        <AddEntry
          action={chosen.action}
          value={chosen.subject.value}
          hint={chosen.subject.hint}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}

interface ListMenuProps {
  readonly action: Action;
  readonly subjects: readonly ListedSubject[];
  onChoose(subject: ListedSubject): void;
}

function ListMenu({ action, subjects, onChoose }: ListMenuProps) {
  const { word } = ACTIONS[action];
  return (
    <MenuButton
      width={300}
      heading={`${word} future signups from …`}
      entries={subjects.map((subject) => ({
        words: (
          <>
            {subject.words} <span className="gh-mono gh-dim">{subject.shown}</span>
          </>
        ),
        onChoose: () => onChoose(subject),
      }))}
      button={(parts) => (
        <Button
          variant="default"
          size="xs"
          leftSection={<ListActionIcon action={action} size={15} />}
          rightSection={<IconChevronDown size={14} />}
          {...parts}
        >
          {word}…
        </Button>
      )}
    />
  );
}
