/** A field for a password that is being chosen. */
import { PasswordInput } from '@mantine/core';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

export interface NewPasswordProps {
  readonly label?: string;
  readonly value: string;
  readonly error?: string;
  onChange(value: string): void;
}

export function NewPassword({ label = 'Password', value, error, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={`At least ${PASSWORD_MIN} characters; several words are easy to remember.`}
      autoComplete="new-password"
      minLength={PASSWORD_MIN}
      maxLength={PASSWORD_MAX}
      required
      withAsterisk={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
