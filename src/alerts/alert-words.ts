/** Says what an alert is about: for pages, the management API and messages. */
import { DETECTORS, type DetectorName } from '../contract/detectors.ts';
import type { Alert, AlertKind, SharedValue } from '../model/alert.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { OVERAGE } from './watch-conditions.ts';

export interface AlertWords {
  /** One line, without a full stop. */
  readonly title: string;
  /** One to three sentences; may be empty. */
  readonly text: string;
}

/** @param nameOf name of a key or hook; `undefined`: there is none with this id */
export function describeAlert(alert: Alert, nameOf: (id: string) => string | undefined): AlertWords {
  const name = nameOf(alert.subject);
  return WORDS[alert.kind](alert, name === undefined ? '' : `“${name}”`);
}

/** Message of an event about an alert: which mailbox or session signups share, it does not say. */
export function messageOf(
  alert: Alert,
  nameOf: (id: string) => string | undefined,
): Readonly<Record<string, unknown>> {
  const { kind, subject, since, count, total, usual, shares } = alert;
  const { title, text } = describeAlert(alert, nameOf);
  return {
    kind,
    subject,
    since: toTimestamp(since),
    count,
    total,
    usual,
    shares: shares.map(({ feature, value, share }) =>
      feature === 'mailbox' || feature === 'session' ? { feature, share } : { feature, value, share },
    ),
    text: [`${title}.`, text].join(' ').trim(),
  };
}

type Describe = (alert: Alert, name: string) => AlertWords;

const WORDS: Readonly<Record<AlertKind, Describe>> = {
  signups: ({ count, usual, shares }, name) => ({
    title: `${grouped(count)} signups in 20 minutes${name && ` with ${name}`}, usually ${grouped(usual)}`,
    text:
      shares.length === 0
        ? 'They share no network, domain, mailbox or session that others have not: busy, and no sign of an attack.'
        : sharesIn(shares),
  }),
  blocked: ({ count, total, usual, shares }) => ({
    title: `Verdict Block for ${grouped(count)} of ${grouped(total)} signups in 6 hours, usually ${grouped(usual)}`,
    text: sharesIn(shares),
  }),
  challenged: ({ count, total, usual, shares }) => ({
    title: `Verdict Challenge for ${grouped(count)} of ${grouped(total)} signups in 6 hours, usually ${grouped(usual)}`,
    text: sharesIn(shares),
  }),
  campaign: ({ count, total }) => ({
    title: `A wave of ${grouped(count)} signups was found`,
    text: `${total === 0 ? 'None' : grouped(total)} of them got in. Confirm the wave or dismiss it, and this is over.`,
  }),
  shadow: ({ count, usual, shares }, name) => ({
    title: `Shadow mode of ${name || 'a key'} let in ${grouped(count)} in 24 hours who would be stopped, usually ${grouped(usual)}`,
    text: sharesIn(shares),
  }),
  quota: ({ subject, count, total, note }) => {
    const isFull = subject.startsWith('100');
    const end =
      note === OVERAGE ? 'More signups cost extra.' : 'More signups are refused until the month ends.';
    return {
      title: `${isFull ? 100 : 80}% of the month’s quota is used`,
      text: `${grouped(count)} of ${grouped(total)} signups.${isFull ? ` ${end}` : ''}`,
    };
  },
  shared_address: ({ subject, note }, name) => ({
    title: `Nearly all signups of ${name || 'a key'} have one IP`,
    text: `${ADDRESS_WORDS[note === 'everybody' ? 'everybody' : 'doubtful']} ${subject.startsWith('hk_') ? 'let the provider send' : 'send Gatehouse'} the IP of each visitor.`,
  }),
  backup: ({ note }) => ({
    title: 'A scheduled backup is missing',
    text: `${note} The log says why; on the server, \`gatehouse doctor\` says it, too.`,
  }),
  source: ({ subject, note }) => ({ title: `Wrong answers from ${subject}`, text: note }),
  bounced: ({ count, total, usual, note }) => ({
    title: `Mails to ${grouped(count)} of ${grouped(total)} people who signed up in ${WINDOW_WORDS[note] ?? '24 hours'} bounced, usually ${grouped(usual)}`,
    text: `That is ${percent(count / total)}. Mail providers warn at 5% and stop sending at 10%. Before you send a mail to somebody who is challenged, ask for a proof that needs no mail, and look for a wave.`,
  }),
  complained: ({ count, total, usual, note }) => ({
    title: `${grouped(count)} of ${grouped(total)} people who signed up in ${WINDOW_WORDS[note] ?? '7 days'} reported a mail as spam, usually ${grouped(usual)}`,
    text: `That is ${percent(count / total)}. Mail providers warn at 0.1% and stop sending at 0.5%. Somebody may be signing up strangers through your form.`,
  }),
  feed: ({ subject, note, count, total }) => {
    if (count > 0)
      return {
        title: `An update of the feed ${subject} waits for you`,
        text: `With it, ${grouped(count)} of ${grouped(total)} signups of the last 7 days would get another verdict: ${note}. The version before it stays in use until somebody decides.`,
      };
    if (note !== '') return { title: `An update of the feed ${subject} was rejected`, text: note };
    return {
      title: `The feed ${subject} is out of date`,
      text: 'Its publisher has not confirmed it for three update intervals. The last version stays in use.',
    };
  },
};

const WINDOW_WORDS: Readonly<Record<string, string>> = { day: '24 hours', week: '7 days' };

/** Two digits that mean something. */
function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))}%`;
}

const ADDRESS_WORDS = {
  everybody:
    'This IP is a server or a proxy, so all your visitors seem to come from it. Gatehouse therefore ignores bursts from this IP: it challenges nobody for them, and does not notice a person who signs up many times. To tell visitors apart,',
  doubtful:
    'There are two possible causes: an attack, or a proxy of yours through which all visitors come. When about 20 people sign up from this IP within an hour, Gatehouse challenges further signups from it. It blocks nobody for this alone. If the IP is your proxy or server,',
} as const;

function sharesIn(shares: readonly SharedValue[]): string {
  if (shares.length === 0) return '';
  return `${shares.map((shared) => `${Math.round(shared.share * 100)}% ${sharedIn(shared)}`).join(', ')}.`;
}

function sharedIn({ feature, value }: SharedValue): string {
  switch (feature) {
    case 'range':
      return `come from ${value}`;
    case 'network':
      return `come from the network AS${value}`;
    case 'domain':
      return `have addresses at ${value}`;
    case 'mailbox':
      return 'belong to one mailbox';
    case 'session':
      return 'have the same session';
    case 'finding':
      return `have the main finding “${DETECTORS[value as DetectorName] ?? value}”`;
  }
}

function grouped(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
