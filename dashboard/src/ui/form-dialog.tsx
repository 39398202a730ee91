/** A form in a dialog. It stays open while it sends, and a click outside does not lose the typed text. */
import type { FocusEvent, ReactNode } from 'react';
import { Form, FormActions } from './form.tsx';
import { meanwhileOf, YIELD } from './meanwhile-note.tsx';
import { Modal } from './modal.tsx';
import type { FormBinding } from './use-form.ts';

const ABOVE_DIALOGS = 300;

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
  /** It stays until its form is done, above other dialogs, which no key closes meanwhile. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { form, title, size, stays = false, children, verb, aside, ...actions } = props;
  const isLate = meanwhileOf(form.problem()) !== undefined;
  const buttons = isLate ? { verb: `${verb} anyway`, cancel: YIELD } : { verb, aside };
  return (
    <Modal
      opened
      onClose={form.close}
      title={title}
      {...(size === undefined ? {} : { size })}
      closeOnClickOutside={false}
      {...(stays ? { closeOnEscape: false, withCloseButton: false, zIndex: ABOVE_DIALOGS } : {})}
      {...(stays ? { onFocusCapture: keepEscape } : {})}
    >
      <Form
        form={form}
        actions={
          <FormActions
            {...actions}
            {...buttons}
            busy={form.busy}
            {...(stays ? {} : { onCancel: form.close })}
          />
        }
      >
        {children}
      </Form>
    </Modal>
  );
}

/** A dialog below would take Escape for itself. */
function keepEscape({ target }: FocusEvent<HTMLElement>): void {
  target.setAttribute('data-mantine-stop-propagation', 'true');
}
