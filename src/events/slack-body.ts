/** Writes an event for Slack, and for what takes the same bodies: Mattermost, Rocket.Chat, Google Chat's and Discord's Slack forms. */
import type { EventMessage } from '../model/event.ts';
import { sayEvent } from './sentence.ts';

/** @param baseUrl of the dashboard, without a slash at the end; `null`: it is not known, and there is no link */
export function slackBody(message: EventMessage, accountName: string, baseUrl: string | null): string {
  const { sentence, path } = sayEvent(message);
  const text = escapeMarkup(sentence);
  const link = baseUrl === null ? '' : ` <${escapeMarkup(baseUrl + path)}|Open in Gatehouse>`;
  return JSON.stringify({
    text: `${escapeMarkup(accountName)}: ${text}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escapeMarkup(accountName)}*: ${text}${link}` } },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: `${escapeMarkup(message.type)} · ${message.timestamp}` }],
      },
    ],
  });
}

/** The three characters that have a meaning of their own there. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
