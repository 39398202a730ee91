/** Reads which entries of the audit log a request asks for: the same filter for the management API and the dashboard. */
import { parseInstant } from '../platform/timestamp.ts';
import type { AuditFilter } from '../store/audit-store.ts';
import { shown, unusable } from './dashboard-values.ts';

const MAX_LENGTH = 300;
const NAMES = ['since', 'until', 'action', 'by', 'target'] as const;

/** `undefined` where it asks for all. @throws Problem `invalid_value` */
export function readAuditFilter(
  query: Readonly<Record<string, string | undefined>>,
): AuditFilter | undefined {
  const filter = {
    since: readInstant('since', query.since),
    until: readInstant('until', query.until),
    action: readText('action', query.action),
    by: readText('by', query.by),
    target: readText('target', query.target),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
}

/** A filter for the audit log of its exports, as the client sent it; it was accepted. */
export function describeAuditFilter(query: Readonly<Record<string, string | undefined>>): string {
  const words = NAMES.flatMap((name) => (query[name] ? `${name} ${query[name]}` : []));
  return words.length === 0 ? 'all entries' : words.join(', ');
}

function readInstant(param: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const at = parseInstant(text);
  if (at !== undefined) return at;
  throw unusable(param, `${shown(text)} is not a time.`, 'Send a time such as 2027-01-31T12:00:00Z.');
}

function readText(param: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length <= MAX_LENGTH) return text === '' ? undefined : text;
  throw unusable(param, `\`${param}\` is too long.`, `Send at most ${MAX_LENGTH} characters.`);
}
