/** Puts something of an assessment on the allow or deny list: what it was about, from the narrowest to the widest. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { LogRow } from '../../../../../src/contract/dashboard/assessments.ts';
import { AddEntry } from '../../../listing/add-entry.tsx';
import { type Subject, subjectsOf } from './subjects.ts';

export function ListMenu({ row }: { row: LogRow }) {
  const [chosen, setChosen] = useState<Subject>();
  return (
    <>
      <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
            Allow or deny
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Future signups with the same …</Menu.Label>
          {subjectsOf(row).map((subject) => (
            <Menu.Item key={subject.words} onClick={() => setChosen(subject)}>
              {subject.words} <span className="gh-mono gh-dim">{subject.shown}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen !== undefined && (
        <AddEntry
          // What was stopped is most often to be let in, and the other way round.
          action={row.verdict === 'allow' ? 'deny' : 'allow'}
          value={chosen.value}
          hint={chosen.hint}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
