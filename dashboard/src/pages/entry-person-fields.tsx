/** The form of a new person with a link: name, email if the link does not fix it, password. */
import { Button, TextInput } from '@mantine/core';
import { Form } from '../ui/form.tsx';
import { NewPassword } from '../ui/new-password.tsx';
import { useForm } from '../ui/use-form.ts';
import type { Change } from '../ui/use-sending.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface PersonFieldsProps {
  /** Fixed if the link is for one address only. */
  readonly email: string | null;
  /** A reset asks for the password only. */
  readonly passwordOnly?: boolean;
  readonly verb: string;
  readonly change: Change<Person>;
}

export function PersonFields({ email, passwordOnly = false, verb, change }: PersonFieldsProps) {
  const form = useForm<Person, Person>({
    values: { name: '', email: email ?? '', password: '' },
    change,
    body: ({ name, email, password }) => ({ name: name.trim(), email: email.trim(), password }),
  });
  const submit = (
    <Button type="submit" fullWidth loading={form.busy}>
      {verb}
    </Button>
  );
  return (
    <Form form={form} actions={submit}>
      {!passwordOnly && <TextInput label="Name" autoComplete="name" required {...form.text('name')} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        readOnly={email !== null}
        {...form.text('email')}
      />
      <NewPassword {...form.text('password')} />
    </Form>
  );
}
