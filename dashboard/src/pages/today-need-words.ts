/** Says what waits for a person: a title that links to it, and a sentence. */
import type { EntriesNeed, Need, ShadowReadyNeed } from '../../../src/contract/dashboard-today.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { alertCardPath } from '../ui/alert-card-path.ts';
import { capitalized, grouped, pluralize } from '../ui/format.ts';
import { FRAUD, GOOD, type Part } from './today-sentence.ts';

export interface NeedWords {
  readonly id: string;
  readonly title: Part;
  readonly text: readonly Part[];
}

export function needWords(need: Need): NeedWords {
  switch (need.kind) {
    case 'campaign':
      return {
        id: need.id,
        title: { text: capitalized(need.summary.split('; ')[0] ?? ''), page: `campaigns/${need.id}` },
        text: [
          { text: `${grouped(need.let_in)} of ${grouped(need.members)} got in. Confirm or dismiss it.` },
        ],
      };
    case 'campaigns':
      return {
        id: need.kind,
        title: { text: `${pluralize(need.count, 'smaller wave')} without a decision`, page: 'campaigns' },
        text: [
          { text: `${pluralize(need.let_in, 'signup')} of ${need.count === 1 ? 'it' : 'them'} got in.` },
        ],
      };
    case 'alert':
      return alertWords(need.alert);
    case 'recalled':
      return {
        id: need.kind,
        title: {
          text: `${grouped(need.block + need.challenge)} who got in before would not come in now`,
          page: 'recall',
        },
        text: [{ text: `${grouped(need.block)} would be blocked, ${grouped(need.challenge)} challenged.` }],
      };
    case 'good_stopped':
      return goodStoppedWords(need);
    case 'requests':
      return {
        id: need.kind,
        title: { text: `${pluralize(need.count, 'request')} to let a customer in`, page: 'feedback' },
        text: [{ text: 'Colleagues ask for it, and nobody has answered.' }],
      };
    case 'entries':
      return entriesWords(need);
    case 'shadow_look':
      return {
        id: need.id,
        title: {
          text: `“${need.name}” would have stopped ${pluralize(need.good_stopped, 'good customer')}`,
          page: 'shadow',
        },
        text: [
          {
            text: `${pluralize(need.days, 'day')} and ${pluralize(need.signups, 'signup')} in shadow mode. Look at what would have stopped them before you enforce it for more people.`,
          },
        ],
      };
    case 'shadow_ready':
      return {
        id: need.id,
        title: { text: readyWords(need), page: 'shadow' },
        text: [
          {
            text: `${pluralize(need.days, 'day')} and ${pluralize(need.signups, 'signup')} in shadow mode; it would have stopped no known good customer.`,
          },
        ],
      };
  }
}

function readyWords({ name, enforced_share: share }: ShadowReadyNeed): string {
  return share === 0
    ? `“${name}” is ready to enforce`
    : `“${name}” enforces for ${share}% of people, and is ready for more`;
}

function alertWords(alert: Extract<Need, { kind: 'alert' }>['alert']): NeedWords {
  const { id, title, text } = alert;
  const page = alertCardPath(alert) ?? (`alerts/${id}` as const);
  return { id, title: { text: title, page }, text: [{ text: capitalized(text) }] };
}

/** Both labels: a cause that stops good customers may stop fraud, too. */
function goodStoppedWords({ detector, good, fraud }: Extract<Need, { kind: 'good_stopped' }>): NeedWords {
  const same = { period: '7d', verdict: 'block', shadow: 'false', finding: detector };
  return {
    id: `good ${detector}`,
    title: {
      text: `${pluralize(good, 'good customer')} blocked in 7 days: ${labelOfDetector(detector)}`,
      filter: { ...same, feedback: GOOD },
    },
    text: [
      fraud === 0
        ? { text: 'No known fraud' }
        : { text: `${pluralize(fraud, 'known fraud')}`, filter: { ...same, feedback: FRAUD } },
      { text: ` ${fraud > 1 ? 'were' : 'was'} blocked for the same reason.` },
    ],
  };
}

const LIST_WORDS: Readonly<Record<EntriesNeed['action'], { name: string; list: string }>> = {
  allow: { name: 'the Allow list', list: 'allow' },
  deny: { name: 'the Block list', list: 'block' },
  office: { name: 'the shared offices', list: 'office' },
};

function entriesWords({ action, count, hits, first }: EntriesNeed): NeedWords {
  const { name, list } = LIST_WORDS[action];
  const decided = `${count === 1 ? 'It' : 'They'} decided ${pluralize(hits, 'signup')}.`;
  return {
    id: `entries ${action}`,
    title:
      count === 1
        ? { text: `${first.value} leaves ${name} by tomorrow`, page: 'lists', query: { entry: first.id } }
        : { text: `${grouped(count)} entries leave ${name} by tomorrow`, page: 'lists', query: { list } },
    text: [{ text: count === 1 ? decided : `${decided} Most by ${first.value}.` }],
  };
}
