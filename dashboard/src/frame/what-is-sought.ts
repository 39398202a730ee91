/** Parses the search text: which page to open, with which filter. */
import type { AccountPath } from '../pages.ts';

export interface Sought {
  readonly page: AccountPath;
  readonly query: Readonly<Record<string, string>>;
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*(\/\d{1,3})?$/i;
const DOMAIN = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+$/u;

export function whatIsSought(typed: string): Sought | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (/^req_[0-9a-z]+$/i.test(text)) return { page: `assessments/${text.toLowerCase()}`, query: {} };
  if (/^as\d+$/i.test(text)) return by('asn', text.toUpperCase());
  if (IPV4.test(text) || (IPV6.test(text) && text.split(':').length > 2)) return by('ip', text);
  const domain = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  if (DOMAIN.test(domain)) return by('domain', domain);
  return by('session_id', text);
}

function by(name: string, value: string): Sought {
  return { page: 'assessments', query: { [name]: value } };
}
