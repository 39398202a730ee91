/** Writes an event as an e-mail: what happened, where to look, and why it comes. */
import type { Destination, EventMessage } from '../model/event.ts';
import type { MailMessage } from './send-mail.ts';
import { accountPath, sayEvent } from './sentence.ts';

export interface MailContext {
  readonly accountName: string;
  readonly destination: Pick<Destination, 'address' | 'name'>;
  /** The dashboard's URL, without a slash at the end; `null`: it is not known, and there are no links. */
  readonly baseUrl: string | null;
}

const MAX_SUBJECT_LENGTH = 120;

export function mailOf(message: EventMessage, context: MailContext): MailMessage {
  const { accountName, destination } = context;
  const { sentence, path } = sayEvent(message);
  const link = (to: string) => (context.baseUrl === null ? '' : context.baseUrl + to);
  const notifications = link(accountPath(message.account_id, 'notifications'));
  const lines = [
    sentence,
    ...itemsOf(message, link),
    link(path),
    `-- \nYou get this because “${destination.name}” is a destination of the account ${accountName} in Gatehouse.`,
    notifications === '' ? '' : `Change it: ${notifications}`,
  ];
  return {
    id: message.id,
    to: destination.address,
    subject: subjectOf(`[${accountName}] ${sentence}`),
    text: `${lines.filter((line) => line !== '').join('\n\n')}\n`,
  };
}

export interface DigestItem {
  readonly text: string;
  /** Path of the dashboard, from the root. */
  readonly path: string;
}

function itemsOf({ type, data }: EventMessage, link: (path: string) => string): string[] {
  if (type !== 'digest') return [];
  const { items, count } = data as { readonly items: readonly DigestItem[]; readonly count: number };
  const more = count - items.length;
  return [
    ...items.map(({ text, path }) => [`• ${text}`, link(path)].filter((line) => line !== '').join('\n  ')),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ];
}

function subjectOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_SUBJECT_LENGTH ? line : `${line.slice(0, MAX_SUBJECT_LENGTH - 1)}…`;
}
