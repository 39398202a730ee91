/** The events of a destination as check boxes; those of signups also by verdict. */
import { Checkbox } from '@mantine/core';
import {
  type DestinationKind,
  EVENT_VERDICTS,
  type EventType,
  type EventVerdict,
} from '../../../src/model/event.ts';
import { FormHint } from '../ui/form.tsx';
import { capitalized } from '../ui/format.ts';
import styles from './notifications-page.module.css';
import { typesOf, typeWord } from './notifications-words.ts';

export interface EventChoiceProps {
  readonly kind: DestinationKind;
  readonly types: readonly EventType[];
  readonly verdicts: readonly EventVerdict[];
  readonly error: string | undefined;
  onChange(chosen: { types?: readonly EventType[]; verdicts?: readonly EventVerdict[] }): void;
}

export function EventChoice({ kind, types, verdicts, error, onChange }: EventChoiceProps) {
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>Events</legend>
        {typesOf(kind).map((type) => (
          <Checkbox
            key={type}
            label={typeWord(type)}
            description={type}
            checked={types.includes(type)}
            onChange={(event) => onChange({ types: toggled(types, type, event.currentTarget.checked) })}
          />
        ))}
      </fieldset>
      {error !== undefined && <FormHint>{error}</FormHint>}
      {types.includes('signup.assessed') && (
        <fieldset className={styles.choices}>
          <legend>Signups with the verdict</legend>
          {EVENT_VERDICTS.map((verdict) => (
            <Checkbox
              key={verdict}
              label={capitalized(verdict)}
              checked={verdicts.includes(verdict)}
              onChange={(event) =>
                onChange({ verdicts: toggled(verdicts, verdict, event.currentTarget.checked) })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

function toggled<T>(chosen: readonly T[], value: T, isChosen: boolean): T[] {
  return isChosen ? [...chosen, value] : chosen.filter((other) => other !== value);
}
