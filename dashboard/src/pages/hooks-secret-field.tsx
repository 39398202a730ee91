/** The secret of a hook: whether it is needed, and who makes it, depends on the provider. */
import { TextInput } from '@mantine/core';
import type { HookSource } from '../../../src/model/hook.ts';
import { FormHint } from '../ui/form.tsx';
import type { FormBinding } from '../ui/use-form.ts';
import { PROVIDERS } from './hooks-providers.ts';

/** Body for a secret that may be left empty. */
export function toSecret(secret: string): { secret?: string } {
  return secret.trim() === '' ? {} : { secret: secret.trim() };
}

export interface SecretFieldProps {
  readonly form: Pick<FormBinding<{ secret: string }>, 'text'>;
  readonly provider: HookSource;
  /** There is a hook already, so the provider knows its URL. */
  readonly isRotation?: boolean;
}

export function SecretField({ form, provider, isRotation = false }: SecretFieldProps) {
  const { secret, secretBy, title } = PROVIDERS[provider];
  const required = secretBy === 'setting' || (isRotation && secretBy === 'provider');
  if (secretBy === 'provider' && !isRotation)
    return <FormHint>{title} makes the secret once it has the URL. Enter it here afterwards.</FormHint>;
  return (
    <TextInput
      label={required ? 'Secret' : 'Secret (optional)'}
      description={required ? secret : `${secret} Made for you if you leave it empty.`}
      required={required}
      maxLength={1000}
      autoComplete="off"
      spellCheck={false}
      {...form.text('secret')}
    />
  );
}
