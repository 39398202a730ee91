/** A field for a password that is being chosen. */
import { PasswordInput } from '@mantine/core';
import type { TextProps } from './use-form.ts';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

export interface NewPasswordProps extends TextProps {
  readonly label?: string;
}

export function NewPassword({ label = 'Password', ...field }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={`At least ${PASSWORD_MIN} characters. Several words are easy to remember.`}
      autoComplete="new-password"
      minLength={PASSWORD_MIN}
      maxLength={PASSWORD_MAX}
      required
      {...field}
    />
  );
}
