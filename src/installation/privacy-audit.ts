/** Decides what an erasure takes out of an account's audit log: by action, only the fields that can name the person. All else stays as it was written, whatever the person's session was called. */
import { parseEmail } from '../address/email.ts';
import { parseIp } from '../address/ip.ts';
import { mailboxOf } from '../address/mailbox.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { RedactAuditEntry } from '../store/erasure-store.ts';

/** Texts by which the log may name an erased person. */
export interface PersonTraces {
  /** Whether a keyed hash of an address or a mailbox is the person's. */
  readonly isHash: (hash: string) => boolean;
  readonly isAddress: (address: string) => boolean;
  /** Canonical; one by which the person was erased. */
  readonly isIp: (ip: string) => boolean;
  readonly requestIds: ReadonlySet<string>;
  /** Sessions of the person's signups, or the one by which the person was erased. */
  readonly sessions: ReadonlySet<string>;
  /** IPs of the person's signups. Others may have had them, so they count only where somebody searched for them. */
  readonly ips: ReadonlySet<string>;
  /** Owners' domains that nobody else used. */
  readonly domains: ReadonlySet<string>;
}

type Redaction = Pick<AuditEntry, 'target' | 'detail' | 'subject'>;
type Redact = (entry: AuditEntry, person: PersonTraces) => Redaction;

/** Asterisks, as many as the bytes of the text that they replace: the row stays in its place in the file, and leaves no copy. */
const asterisks = (text: string) => '*'.repeat(Buffer.byteLength(text));

/** Redaction of what names a signup by its id. */
const redactSignup: Redact = ({ target, detail }, { requestIds }) => ({
  target: requestIds.has(target) ? asterisks(target) : target,
  detail,
});

/** Every action that is not here has no field for a person who signs up: keys, hooks, thresholds, policies, people, quotas. */
const REDACTIONS: Readonly<Record<string, Redact>> = {
  'list.allow': redactEntry,
  'list.deny': redactEntry,
  'list.office': redactEntry,
  'list.remove': redactEntry,
  'feedback.give': redactSignup,
  'feedback.undo': redactSignup,
  'feedback.close': redactSignupAndReason,
  'feedback.reopen': redactSignupAndReason,
  'try.live': redactSignup,
  'signups.export': ({ target, detail }, person) => ({ target, detail: redactFilter(detail, person) }),
  'audit.export': ({ target, detail }, person) => ({ target, detail: redactText(detail, person) }),
};

export function createRedaction(person: PersonTraces): RedactAuditEntry {
  return (entry) => {
    const redacted = REDACTIONS[entry.action]?.(entry, person);
    if (redacted === undefined) return undefined;
    const isSame = redacted.target === entry.target && redacted.detail === entry.detail;
    return isSame ? undefined : redacted;
  };
}

/** The value and the reason of the person's own entry; in the reason of another one, only what names the person. */
function redactEntry({ action, target, detail, subject }: AuditEntry, person: PersonTraces): Redaction {
  const isOwn = subject !== undefined && (person.isHash(subject) || person.isIp(subject));
  if (!isOwn) {
    const reason = action === 'list.remove' ? detail : redactText(detail, person);
    return { target, detail: reason, ...(subject !== undefined && { subject }) };
  }
  const reason = action === 'list.remove' ? detail : asterisks(detail);
  return { target: asterisks(target), detail: reason, subject: asterisks(subject) };
}

/** Redaction of what names a signup by its id, with a reason that a person wrote. */
function redactSignupAndReason({ target, detail }: AuditEntry, person: PersonTraces): Redaction {
  return { target: redactText(target, person), detail: redactText(detail, person) };
}

/** Words that may be an address, an IP or an id; signs around them are left to `trimSigns`. */
const WORD = /[^\s<>()[\]{}",;|]+/gu;
const SIGNS_BEFORE = /^['‘“„«*=]+/u;
const SIGNS_AFTER = /[.!?:'’”“»*]+$/u;
/** `email=jo@example.com`, `mailto:jo@example.com`. */
const LABEL = /^[\p{L}_-]{1,20}[=:]+/u;

/** Whole words alone: `joann@x.de` is not `ann@x.de`, and 11.2.3.45 not 1.2.3.4. */
function redactText(text: string, person: PersonTraces): string {
  return text.replaceAll(WORD, (word) => {
    for (const inner of innerTexts(word)) {
      if (!namesPerson(inner, person)) continue;
      const at = word.indexOf(inner);
      return word.slice(0, at) + asterisks(inner) + word.slice(at + inner.length);
    }
    return word;
  });
}

function innerTexts(word: string): readonly string[] {
  const plain = word.replace(SIGNS_AFTER, '');
  const unsigned = plain.replace(SIGNS_BEFORE, '');
  return [
    word,
    plain,
    unsigned,
    unsigned.replace(LABEL, ''),
    unsigned.replace(LABEL, '').replace(SIGNS_BEFORE, ''),
  ];
}

function namesPerson(text: string, person: PersonTraces): boolean {
  if (text.includes('@')) return isAddressOf(text, person);
  if (person.requestIds.has(text)) return true;
  const ip = parseIp(text)?.text;
  return ip !== undefined && person.isIp(ip);
}

function isAddressOf(text: string, person: PersonTraces): boolean {
  const email = parseEmail(text);
  return email !== undefined && (person.isAddress(email.address) || person.isAddress(mailboxOf(email)));
}

/** `ip 203.0.113.7, session_id s-1; at most 5 signups`, as `dashboard-assessments.ts` writes it. */
const FILTERS: Readonly<Record<string, (value: string, person: PersonTraces) => boolean>> = {
  domain: (value, { domains }) => [...domains].some((own) => value === own || value.endsWith(`.${own}`)),
  ip: (value, { isIp, ips }) => {
    const ip = parseIp(value.replace(/\/(?:32|128)$/, ''))?.text;
    return ip !== undefined && (isIp(ip) || ips.has(ip));
  },
  request_id: (value, { requestIds }) => requestIds.has(value.trim()),
};
const FILTER = new RegExp(`(?<=^|, )(${Object.keys(FILTERS).join('|')}) ([^,;]+)(?=, [a-z_]+ |; )`, 'g');

function redactFilter(detail: string, person: PersonTraces): string {
  let redacted = detail.replaceAll(FILTER, (part, name: string, value: string) =>
    FILTERS[name]?.(value, person) ? `${name} ${asterisks(value)}` : part,
  );
  // A session may be any text, also one with commas: it is looked for as a whole.
  for (const session of person.sessions) {
    const [before, after] = [`session_id ${session}`, `session_id ${asterisks(session)}`];
    const at = redacted.indexOf(before);
    const isWhole = /^(?:, [a-z_]+ |; )/.test(redacted.slice(at + before.length));
    const begins = at === 0 || redacted.slice(0, at).endsWith(', ');
    if (at >= 0 && begins && isWhole)
      redacted = redacted.slice(0, at) + after + redacted.slice(at + before.length);
  }
  return redacted;
}
