/** Says a verdict so that somebody who helps customers can read it aloud: no scores, and no names of detectors. */
import type { Verdict } from '../contract/messages.ts';
import type { PlainAnswer } from '../contract/plain-answer.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';

interface Cause {
  /** Goes on after “because”. */
  readonly because: string;
  /** Advice for the person, one sentence. */
  readonly advice: string;
}

const HIDDEN: Cause = {
  because: 'a VPN or another service hid where they are. Many honest people use one',
  advice: 'Please switch your VPN or privacy service off, and sign up again.',
};
const THROW_AWAY: Cause = {
  because: 'the address is from a service for throw-away addresses',
  advice: 'Please sign up with the address that you use every day.',
};
const NO_MAIL: Cause = {
  because: 'the address cannot receive mail, as far as we could see',
  advice: 'Please check the part after the @, or use another address.',
};
const CROWD: Cause = {
  because: 'many people signed up from the same place at the same time',
  advice: 'Please try again in an hour, or from another network, such as your phone.',
};
const ALIKE: Cause = {
  because: 'the signup looked like many others that a program made at that time',
  advice: 'Please sign up again with the address that you use every day.',
};
const ONE_MAILBOX: Cause = {
  because: 'several accounts were opened with spellings of one mailbox',
  advice: 'Please use the account that you opened first, or tell us which one you need.',
};
const BAD_NETWORK: Cause = {
  because: 'others misused the network that they came from',
  advice: 'Please try again from another network, such as your phone.',
};
const SERVERS: Cause = {
  because: 'they came from a network of servers, as some companies and VPNs do',
  advice: 'Please try again from your home or your phone, without a VPN.',
};
const LISTED: Cause = {
  because: 'somebody on your team put them, or their network, on the Block list',
  advice: 'Please wait until a colleague has looked at it.',
};
const SEVERAL: Cause = {
  because: 'several small things came together, none of which is wrong alone',
  advice: 'Please try again with the address that you use every day.',
};

const CAUSES: Readonly<Record<string, Cause>> = {
  deny_list: LISTED,
  disposable_domain: THROW_AWAY,
  disposable_disputed: THROW_AWAY,
  disposable_mx: THROW_AWAY,
  no_domain: NO_MAIL,
  null_mx: NO_MAIL,
  no_mx: NO_MAIL,
  mx_unanswered: NO_MAIL,
  spam_domain: {
    because: 'others misused the domain of the address',
    advice: 'Please use another address.',
  },
  new_domain: {
    because: 'the domain of the address is only a few days old',
    advice: 'Please use another address, or tell us about your new domain.',
  },
  relay_domain: {
    because: 'the address forwards mail and hides the real one. Many honest people use one',
    advice: 'Please sign up with the address that you use every day.',
  },
  role_account: {
    because: 'the address is one of a team, not of a person',
    advice: 'Please sign up with an address of your own.',
  },
  sms_gateway: {
    because: 'the address sends text messages to a phone',
    advice: 'Please use an email address.',
  },
  tor_exit: HIDDEN,
  vpn: HIDDEN,
  proxy: HIDDEN,
  privacy_relay: HIDDEN,
  hosting: SERVERS,
  ip_abuse: BAD_NETWORK,
  ip_burst: CROWD,
  domain_burst: CROWD,
  wave_address: ALIKE,
  wave_network: ALIKE,
  wave_domain: ALIKE,
  wave_email: ALIKE,
  generated_name: ALIKE,
  mailbox_farm: ONE_MAILBOX,
  mailbox_months: ONE_MAILBOX,
};

const DID: Readonly<Record<Verdict, string>> = {
  allow: 'They were let in',
  challenge: 'They were asked to confirm that they are a person',
  block: 'They were not let in',
};
const ASKED = 'Our signup check asked you for one more step';
const STOPPED = 'Our signup check stopped you';

/**
 * @param findings heaviest first
 * @param verdict that was answered
 */
export function plainAnswerOf(
  evidence: Evidence,
  findings: readonly Pick<Finding, 'detector'>[],
  verdict: Verdict,
): PlainAnswer {
  if (verdict === 'allow')
    return {
      answer: `${DID.allow}. Nothing stopped this signup.`,
      advice: 'Your signup went through. If you see an error, please send us a picture of it.',
    };
  const { because, advice } = causeOf(evidence, findings[0]?.detector ?? '');
  const said = verdict === 'challenge' ? ASKED : STOPPED;
  return { answer: `${DID[verdict]}, because ${because}.`, advice: `${said}. ${advice}` };
}

function causeOf({ email }: Evidence, detector: string): Cause {
  if (detector !== 'typing_mistake') return CAUSES[detector] ?? SEVERAL;
  return {
    because: `the address looks mistyped: ${email.domain} instead of ${email.providerMeant}`,
    advice: `Please check the spelling of your address: did you mean ${email.providerMeant}?`,
  };
}
