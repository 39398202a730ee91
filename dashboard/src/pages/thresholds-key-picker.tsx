/** Chooses whose thresholds and traffic are shown: the account's or one key's. The choice is in the URL. */
import { NativeSelect } from '@mantine/core';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSetQuery } from '../scope.ts';
import { keyName } from './key-name.ts';
import { NO_THRESHOLDS } from './thresholds-draft-query.ts';

export interface KeyPickerProps {
  readonly keys: readonly KeyRow[];
  readonly mode: KeyMode;
  readonly value: string | undefined;
}

export function KeyPicker({ keys, mode, value }: KeyPickerProps) {
  const setQuery = useSetQuery();
  const offered = keys.filter((key) => key.mode === mode && (key.revoked_at === null || key.id === value));
  return (
    <NativeSelect
      aria-label="Key"
      w={220}
      value={value ?? ''}
      // A step in the history: Back returns to the draft of the other choice.
      onChange={(event) =>
        setQuery({ key: event.currentTarget.value || undefined, ...NO_THRESHOLDS }, { push: true })
      }
      data={[
        { value: '', label: 'All keys' },
        ...offered.map((key) => ({
          value: key.id,
          label: `${keyName(key, offered)}${key.thresholds === null ? '' : ' (own thresholds)'}`,
        })),
      ]}
    />
  );
}
