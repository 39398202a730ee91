/** Two buttons, Allow… and Block…: each offers the values of the signup, from the narrowest to the widest. */
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { type Subject, subjectsOf } from './assessment-subjects.ts';
import styles from './assessment-view.module.css';
import { ListActionIcon } from './listing-action-icon.tsx';
import { AddEntry } from './listing-add-entry-later.tsx';
import { ACTIONS } from './listing-kinds.ts';

type Action = ListEntryRow['action'];

export function ListMenus({ row }: { row: AssessmentRow }) {
  const [chosen, setChosen] = useState<{ action: Action; subject: Subject }>();
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
  readonly subjects: readonly Subject[];
  onChoose(subject: Subject): void;
}

function ListMenu({ action, subjects, onChoose }: ListMenuProps) {
  const { word } = ACTIONS[action];
  return (
    <Menu position="bottom-end" width={300} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<ListActionIcon action={action} size={15} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {word}…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{word} future signups from …</Menu.Label>
        {subjects.map((subject) => (
          <Menu.Item key={subject.words} onClick={() => onChoose(subject)}>
            {subject.words} <span className="gh-mono gh-dim">{subject.shown}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
