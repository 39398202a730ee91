/** Keeps the values of a form, sends them once, and shows a refusal at the field that it is about. */
import { type ChangeEvent, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type Change, useSending } from './use-sending.ts';

export interface FormOptions<Values, Body> {
  /** Values to begin with. */
  readonly values: Values;
  readonly change: Change<Body>;
  /** Makes the body; `undefined` if the values cannot be sent yet. */
  body(values: Values): Body | undefined;
  /** Called after it was accepted. Without it the form stays, for what came back. */
  onDone?(): void;
  /** Called by Escape, × and Cancel. Nothing closes while something is on its way. */
  onClose?(): void;
}

export interface FormBinding<Values, Body = unknown> {
  readonly values: Values;
  readonly busy: boolean;
  readonly element: RefObject<HTMLFormElement | null>;
  set(changes: Partial<Values>): void;
  /** Props of a text field. `name` is also the param of a refusal. */
  text(name: keyof Values & string): TextProps;
  /** Why the service refused this field. */
  errorOf(param: string): string | undefined;
  /** A refusal that is about none of the fields. */
  problem(): Error | null;
  submit(event: FormEvent): void;
  send(body: Body): void;
  close(): void;
}

export interface TextProps {
  readonly value: string;
  readonly error: string | undefined;
  onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
}

export function useForm<Values extends object, Body>(
  options: FormOptions<Values, Body>,
): FormBinding<Values, Body> {
  const { change, body, onDone, onClose = () => {} } = options;
  const [values, setValues] = useState(options.values);
  const element = useRef<HTMLFormElement>(null);
  /** The fields that are shown, by the params that they ask for. */
  const params = useRef(new Set<string>());
  const { error } = change;
  const sending = useSending(change, onClose);
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const set = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }));
  const send = (message: Body) => sending.send(message, onDone);
  const errorOf = (param: string) => {
    params.current.add(param);
    return error?.param === param ? error.message : undefined;
  };
  return {
    values,
    busy: change.isPending,
    element,
    set,
    text: (name) => ({
      value: values[name] as string,
      error: errorOf(name),
      onChange: (event) => set({ [name]: event.currentTarget.value } as Partial<Values>),
    }),
    errorOf,
    problem: () => (error?.param !== undefined && params.current.has(error.param) ? null : error),
    submit(event) {
      event.preventDefault();
      const message = body(values);
      if (message !== undefined) send(message);
    },
    send,
    close: sending.close,
  };
}
