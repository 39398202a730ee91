/** The form of somebody who comes by a link for the first time: name, email where it is open, password. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ApiProblem } from '../api.ts';
import { NewPassword } from '../ui/new-password.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './entry-frame.module.css';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface PersonFieldsProps {
  /** Fixed where the link is for one address alone. */
  readonly email: string | null;
  /** A reset asks for the password alone. */
  readonly passwordOnly?: boolean;
  readonly verb: string;
  readonly busy: boolean;
  readonly error: ApiProblem | null;
  onSubmit(person: Person): void;
}

export function PersonFields(props: PersonFieldsProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const wrong = (param: string) => (props.error?.param === param ? props.error.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit({ name: name.trim(), email: email.trim(), password });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {props.passwordOnly !== true && (
        <TextInput
          label="Name"
          autoComplete="name"
          required
          withAsterisk={false}
          value={name}
          error={wrong('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        readOnly={props.email !== null}
        value={email}
        error={wrong('email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NewPassword value={password} error={wrong('password')} onChange={setPassword} />
      <Button type="submit" fullWidth mt={4} loading={props.busy}>
        {props.verb}
      </Button>
      <ProblemNote error={props.error?.param === undefined ? props.error : null} />
    </form>
  );
}
