/** The scopes of a new token as check boxes, each with what it allows. */
import { Checkbox } from '@mantine/core';
import type { ManageScope } from '../../../src/model/manage-token.ts';
import styles from './tokens-page.module.css';
import { isIncluded, SCOPE_WORDS, SCOPES } from './tokens-scopes.ts';

export interface ScopeChoiceProps {
  readonly chosen: readonly ManageScope[];
  onChange(chosen: readonly ManageScope[]): void;
}

export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const choose = (scope: ManageScope, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  return (
    <fieldset className={styles.scopes}>
      <legend>Scopes</legend>
      {SCOPES.map((scope) => {
        const included = isIncluded(scope, chosen);
        return (
          <Checkbox
            key={scope}
            label={scope}
            description={SCOPE_WORDS[scope]}
            checked={included || chosen.includes(scope)}
            disabled={included}
            onChange={(event) => choose(scope, event.currentTarget.checked)}
          />
        );
      })}
    </fieldset>
  );
}
