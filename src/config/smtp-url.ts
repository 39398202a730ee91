/** Reads GATEHOUSE_SMTP_URL: the mail server, how it is reached, and the password. */
import type { SmtpServer } from '../model/smtp-server.ts';

const TLS_PORT = 465;
const SUBMISSION_PORT = 587;
const FORMS =
  'must be smtp://user:password@host:587, which needs STARTTLS, smtps://user:password@host:465, smtp://host:25?tls=off without TLS, or `off`; special characters in a password as %XX';

/** @throws Error that says what the text must be, without quoting it */
export function readSmtpUrl(text = 'off'): SmtpServer | null {
  if (text === 'off') return null;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isTls = url?.protocol === 'smtps:';
  if (url === undefined || !(isTls || url.protocol === 'smtp:') || url.hostname === '')
    throw new Error(FORMS);
  if (!['', '/'].includes(url.pathname) || url.hash !== '') throw new Error(FORMS);
  const isPlain = url.search === '?tls=off' && !isTls;
  if (url.search !== '' && !isPlain) throw new Error(FORMS);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? TLS_PORT : SUBMISSION_PORT)),
    tls: isTls ? 'start' : isPlain ? 'off' : 'starttls',
    login: readLogin(url),
  };
}

function readLogin({ username, password }: URL): SmtpServer['login'] {
  if (username === '' && password === '') return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new Error(FORMS);
  }
}
