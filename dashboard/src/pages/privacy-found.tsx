/** The data that was found about a person: how much, a file of it, and the way to erase it. */
import { Button, Group } from '@mantine/core';
import type { FoundPerson, PersonExport } from '../../../src/contract/dashboard-privacy.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { downloadText } from '../ui/download.ts';
import { IconDownload, IconTrash } from '../ui/icons.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './privacy-page.module.css';
import { personPage } from './privacy-person-page.ts';
import type { PersonBody } from './privacy-search.tsx';
import { PersonSignups } from './privacy-signups.tsx';
import { countWords, isNothing, stayingWords } from './privacy-words.ts';

export function FoundCard({
  person,
  counts,
  onErase,
}: {
  person: PersonBody;
  counts: FoundPerson;
  onErase: () => void;
}) {
  const { api } = useScope();
  const file = useSend<PersonExport, PersonBody>('POST', api('privacy/export'));
  const also = [person.ip, person.session_id].filter((text) => text !== '');
  return (
    <Card title="Found">
      <p className={styles.found} role="status">
        <strong>{person.email}</strong>
        {also.length > 0 && ` or ${also.join(' or ')}`}:{' '}
        {isNothing(counts) ? 'nothing is kept' : countWords(counts)}. {stayingWords(counts)}
      </p>
      {counts.assessments > 0 && <PersonSignups person={person} mailbox={counts.mailbox} />}
      {isNothing(counts) && (
        <p className="gh-dim">
          You can still erase: then the person also stays erased if an older backup is restored.
        </p>
      )}
      <Group gap="xs" mt="md">
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={file.isPending}
          onClick={() => file.mutate(person, { onSuccess: save })}
        >
          Export as JSON
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={file.isPending}
          onClick={() => file.mutate(person, { onSuccess: savePage })}
        >
          Export as a page to read
        </Button>
        <Button variant="default" leftSection={<IconTrash size={14} />} onClick={onErase}>
          Erase…
        </Button>
      </Group>
      <ProblemNote error={file.error} />
    </Card>
  );
}

function save(data: PersonExport): void {
  downloadText(`${fileName()}.json`, JSON.stringify(data, null, 2), 'application/json');
}

function savePage({ in_words: chapters }: PersonExport): void {
  downloadText(`${fileName()}.html`, personPage(chapters), 'text/html');
}

/** It does not name the person. */
function fileName(): string {
  return `personal-data-${new Date().toISOString().slice(0, 10)}`;
}
