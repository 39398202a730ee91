/** A form in a dialog. It stays open while it sends, and a click outside does not lose the typed text. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form, FormActions } from './form.tsx';
import type { FormBinding } from './use-form.ts';

export interface FormDialogProps {
  readonly form: Pick<FormBinding<unknown>, 'element' | 'problem' | 'submit' | 'close' | 'busy'>;
  readonly title: string;
  /** The verb and its object: `Create key`. */
  readonly verb: string;
  readonly danger?: boolean;
  /** The form cannot be sent yet. */
  readonly disabled?: boolean;
  /** Another action, beside the buttons. */
  readonly aside?: ReactNode;
  readonly size?: 'lg';
  readonly children: ReactNode;
}

export function FormDialog({ form, title, size, children, ...actions }: FormDialogProps) {
  return (
    <Modal
      opened
      onClose={form.close}
      title={title}
      {...(size === undefined ? {} : { size })}
      closeOnClickOutside={false}
    >
      <Form form={form} actions={<FormActions {...actions} busy={form.busy} onCancel={form.close} />}>
        {children}
      </Form>
    </Modal>
  );
}
