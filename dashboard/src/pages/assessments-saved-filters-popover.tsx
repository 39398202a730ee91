/** The filters that the person saved in this account: one click applies one; each can be renamed and removed. */
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { SavedFilterRow } from '../../../src/contract/dashboard-saved-filters.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Form } from '../ui/form.tsx';
import { IconPencil, IconTrash } from '../ui/icons.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';
import { filterQuery, toFilter, type UsedFilter } from './assessments-filter.ts';
import styles from './assessments-saved-filters.module.css';

export interface SavedFiltersProps {
  readonly used: UsedFilter;
  /** `undefined` until they are there. */
  readonly saved: readonly SavedFilterRow[] | undefined;
  /** The saved filter that is in use. */
  readonly current: SavedFilterRow | undefined;
  readonly open: boolean;
  readonly children: ReactElement;
  onOpen(open: boolean): void;
}

const MAX_NAME_LENGTH = 60;

export function SavedFiltersPopover(props: SavedFiltersProps) {
  const { used, saved, current, open, onOpen, children } = props;
  const [renaming, setRenaming] = useState<string>();
  const changes = useFilterChanges();
  const query = filterQuery(used.chosen);
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-start" width={320} trapFocus shadow="md">
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown className={styles.saved} aria-label="Saved filters">
        {saved === undefined || saved.length === 0 ? (
          <p className="gh-dim">{saved === undefined ? 'Loading…' : 'You have no saved filter yet.'}</p>
        ) : (
          <ul>
            {saved.map((filter) =>
              filter.id === renaming ? (
                <li key={filter.id}>
                  <NameForm
                    verb="Rename"
                    initial={filter.name}
                    onSend={(name) => changes.rename(filter, name)}
                    onDone={() => setRenaming(undefined)}
                  />
                </li>
              ) : (
                <SavedFilterLine
                  key={filter.id}
                  filter={filter}
                  isCurrent={filter === current}
                  onApply={() => {
                    onOpen(false);
                    used.set(toFilter(filter.query));
                  }}
                  onRename={() => setRenaming(filter.id)}
                  onRemove={() => changes.remove(filter)}
                />
              ),
            )}
          </ul>
        )}
        <ProblemNote error={changes.error} />
        {current === undefined && query !== '' && (
          <NameForm verb="Save" label="Save this filter as" onSend={(name) => changes.save(name, query)} />
        )}
        {query === '' && <p className="gh-dim">To save one, choose a filter first.</p>}
      </Popover.Dropdown>
    </Popover>
  );
}

interface LineProps {
  readonly filter: SavedFilterRow;
  readonly isCurrent: boolean;
  onApply(): void;
  onRename(): void;
  onRemove(): void;
}

function SavedFilterLine({ filter: { name }, isCurrent, onApply, onRename, onRemove }: LineProps) {
  return (
    <li>
      <button type="button" aria-current={isCurrent || undefined} onClick={onApply}>
        {name}
      </button>
      <ActionIcon variant="subtle" aria-label={`Rename ${name}`} onClick={onRename}>
        <IconPencil size={15} />
      </ActionIcon>
      <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={15} />
      </ActionIcon>
    </li>
  );
}

interface NameFormProps {
  readonly verb: string;
  readonly label?: string;
  readonly initial?: string;
  onSend(name: string): Promise<unknown>;
  onDone?(): void;
}

function NameForm({ verb, label, initial = '', onSend, onDone }: NameFormProps) {
  const [name, setName] = useState(initial);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    // A failure is said above the form, and its text stays.
    await onSend(name.trim()).then(
      () => {
        setName('');
        onDone?.();
      },
      () => undefined,
    );
  };
  return (
    <Form
      form={{ submit: (event) => void submit(event) }}
      actions={
        <Button type="submit" size="xs" variant="default">
          {verb}
        </Button>
      }
    >
      <TextInput
        size="xs"
        label={label}
        aria-label={label ?? 'Name'}
        placeholder="Blocked this week"
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        autoFocus={initial !== ''}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </Form>
  );
}

function useFilterChanges() {
  const { api } = useScope();
  const toast = useUndoToast();
  const refreshes = [api('filters')];
  const pathOf = ({ id }: { readonly id: string }) => `${api('filters')}/${id}`;
  const create = useSend<SavedFilterRow, Pick<SavedFilterRow, 'name' | 'query'>>('POST', api('filters'), {
    refreshes,
  });
  const rename = useSend<SavedFilterRow, { readonly id: string; readonly name: string }>('PATCH', pathOf, {
    refreshes,
  });
  const remove = useSend<void, SavedFilterRow>('DELETE', pathOf, { refreshes });
  return {
    error: create.error ?? rename.error ?? remove.error,
    save: (name: string, query: string) => create.mutateAsync({ name, query }),
    rename: ({ id }: SavedFilterRow, name: string) => rename.mutateAsync({ id, name }),
    remove(filter: SavedFilterRow) {
      remove.mutate(filter, {
        onSuccess: () =>
          toast({
            text: `Removed the filter “${filter.name}”.`,
            undo: () => create.mutateAsync({ name: filter.name, query: filter.query }),
          }),
      });
    },
  };
}
