// Addresses of strangers that a list bomber enters in forms: the victims' phones by SMS gateways, desks that answer complaints, dotted Gmail, companies.
import { drawPerson, inOrder } from './local-parts.mjs';

/** Gateways from mail to text messages, as carriers document them. */
const GATEWAYS = [
  'txt.att.net',
  'vtext.com',
  'tmomail.net',
  'messaging.sprintpcs.com',
  'email.uscc.net',
  'msg.fi.google.com',
  'vmobl.com',
  'sms.cricketwireless.net',
];
const DESKS = ['abuse', 'noc', 'postmaster', 'security', 'hostmaster', 'support', 'webmaster'];

/** One attack: a few victims' mailboxes again and again, and strangers between them. */
export function drawBombed(random, month) {
  const dotted = Array.from({ length: random.between(2, 5) }, () =>
    inOrder('firstlast', drawPerson(random, 'en'), random),
  ).filter((local) => local.length > 7);
  return () =>
    random.weighted([
      [() => `${random.between(2, 9)}${random.text(9, '0123456789')}@${random.pick(GATEWAYS)}`, 28],
      [() => `${random.pick(DESKS)}@${month.domains.company('en', ['com', 'net'])}`, 18],
      [() => `${dots(random, random.pick(dotted.length > 0 ? dotted : ['samplevictim']))}@gmail.com`, 26],
      [
        () =>
          `${inOrder('first.last', drawPerson(random, random.pick(['en', 'de', 'fr', 'es'])), random)}@${month.domains.company('en', ['com', 'de', 'fr', 'org'])}`,
        28,
      ],
    ])();
}

function dots(random, local) {
  const parts = [...local].map((letter, at) => (at > 0 && random.chance(0.5) ? `.${letter}` : letter));
  return parts.join('');
}
