/** Asks who the person is. Nothing of it is in the URL, which logs and histories keep. */
import { TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FoundPerson } from '../../../src/contract/dashboard-privacy.ts';
import type { ApiProblem } from '../api.ts';
import { FieldPair, Form, FormActions } from '../ui/form.tsx';
import { useForm } from '../ui/use-form.ts';

export interface PersonBody {
  readonly email: string;
  readonly ip: string;
  readonly session_id: string;
}

const NOBODY: PersonBody = { email: '', ip: '', session_id: '' };

export function SearchForm({
  search,
  onSearch,
}: {
  search: UseMutationResult<FoundPerson, ApiProblem, PersonBody>;
  onSearch: () => void;
}) {
  const form = useForm<PersonBody, PersonBody>({
    values: NOBODY,
    change: search,
    body(values) {
      onSearch();
      return { ...values, email: values.email.trim(), ip: values.ip.trim() };
    },
    onDone: () => {},
  });
  return (
    <Form form={form} actions={<FormActions verb="Find" busy={form.busy} />}>
      <TextInput
        label="Email address"
        description="Finds all spellings of the same mailbox, also in signups that keep only a hash of it."
        type="email"
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        {...form.text('email')}
      />
      <FieldPair>
        <TextInput
          label="IP address"
          description="Optional. Only if nobody else signed up from it."
          autoComplete="off"
          spellCheck={false}
          maxLength={45}
          {...form.text('ip')}
        />
        <TextInput
          label="Session ID"
          description="Optional. As your application sent it."
          autoComplete="off"
          spellCheck={false}
          {...form.text('session_id')}
        />
      </FieldPair>
    </Form>
  );
}
